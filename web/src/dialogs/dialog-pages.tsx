import type { ComponentChildren } from 'preact'

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

/** Shows the content of a dialog of several pages. It has links to the pages, and the page that the address names. */
export const DialogPages = ({ label, tabs, children }: DialogPagesProps) => (
  <div class="dialog-pages">
    <nav class="dialog-tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.href} class="menu-item" href={tab.href} {...(tab.isCurrent && { 'aria-current': 'page' })}>
          {tab.label}
        </a>
      ))}
    </nav>
    <div class="dialog-page">{children}</div>
  </div>
)
