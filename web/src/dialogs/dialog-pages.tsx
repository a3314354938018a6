import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface DialogTab {
  label: string
  href: string
  isCurrent: boolean
}

interface DialogPagesProps {
  label: string
  tabs: readonly DialogTab[]
  children: ComponentChildren
}

/** With more pages than these, the links are in one line that scrolls on a small screen. */
const MOST_WRAPPED = 8

/** Shows the content of a dialog of several pages. It has links to the pages, and the page that the address names. */
export const DialogPages = ({ label, tabs, children }: DialogPagesProps) => {
  const nav = useRef<HTMLElement>(null)
  const current = tabs.find(({ isCurrent }) => isCurrent)?.href
  useLayoutEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  useLayoutEffect(() => {
    // Browsers leave a link where it is if a few pixels of it are in sight.
    const showWhole = ({ target }: FocusEvent) =>
      (target as HTMLElement).scrollIntoView({ block: 'nearest', inline: 'nearest' })
    nav.current?.addEventListener('focusin', showWhole)
  }, [])
  return (
    <div class="dialog-pages">
      <nav ref={nav} class={tabs.length > MOST_WRAPPED ? 'dialog-tabs many-tabs' : 'dialog-tabs'} aria-label={label}>
        {tabs.map((tab) => (
          <a key={tab.href} class="menu-item" href={tab.href} {...(tab.isCurrent && { 'aria-current': 'page' })}>
            {tab.label}
          </a>
        ))}
      </nav>
      <div class="dialog-page">{children}</div>
    </div>
  )
}
