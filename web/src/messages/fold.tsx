/**
 * Shows the begin of a long message, with a button for the rest.
 *
 * 1. The height decides, not the number of characters. A message that is a little higher than the limit is shown whole.
 * 2. What the user opened stays open until the page is closed.
 * 3. A search of the browser, and Tab, can lead into the hidden part: then the message opens.
 */

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../languages/t.js'

/** Is sent by a message before it opens or closes. */
export interface FoldEvent extends CustomEvent<{ isOpening: boolean; shift: number }> {
  readonly target: HTMLElement
}

/** The name of the event. */
export const FOLD_EVENT = 'messagefold'

const opened = new Set<number>()

const LONG_HTML = 600
const MANY_LINES = 8
/** As in `.message-folded`. */
const LIMIT_REM = 20
const LIMIT_SHARE = 0.6
const SPARE = 1.3

/** Shows a part of the page that may be high. `html` is what is in it. */
export const Fold = ({ id, html, children }: { id: number; html: string; children: ComponentChildren }) => {
  const frame = useRef<HTMLDivElement>(null)
  const [isLong, setLong] = useState(false)
  const [isOpen, setOpen] = useState(opened.has(id))
  useLayoutEffect(() => {
    const content = frame.current?.firstElementChild
    // Measuring every message would take most of the time in which a list is built.
    if (!(content instanceof HTMLElement) || !canBeLong(html)) return setLong(false)
    const measure = () => setLong(content.offsetHeight > limit() * SPARE)
    measure()
    let next = 0
    // One frame later, so that the list can follow in the frame of the change.
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(next)
      next = requestAnimationFrame(measure)
    })
    observer.observe(content)
    return () => {
      observer.disconnect()
      cancelAnimationFrame(next)
    }
  }, [html])
  const set = (isOpening: boolean, shift = 0) => {
    frame.current?.dispatchEvent(new CustomEvent(FOLD_EVENT, { bubbles: true, detail: { isOpening, shift } }))
    if (isOpening) opened.add(id)
    else opened.delete(id)
    setOpen(isOpening)
  }
  const isFolded = isLong && !isOpen
  useLayoutEffect(() => {
    // Chromium returns to where an element was scrolled before it was shown whole.
    if (isFolded && frame.current !== null) frame.current.scrollTop = 0
  }, [isFolded])
  return (
    <>
      <div
        class={isFolded ? 'message-folded' : undefined}
        ref={frame}
        onScroll={({ currentTarget, target }) =>
          isFolded && target === currentTarget && currentTarget.scrollTop > 0 && set(true, currentTarget.scrollTop)
        }
      >
        {children}
      </div>
      {isLong && (
        <button type="button" class="fold-button" data-tool="fold" onClick={() => set(!isOpen)}>
          {isOpen ? t('Show less') : t('Show more')}
        </button>
      )}
    </>
  )
}

const canBeLong = (html: string): boolean =>
  html.length > LONG_HTML || /<(?:img|video|table)/.test(html) || html.split(/<br|<li|<p|\n/).length > MANY_LINES

const limit = (): number => {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return Math.max(LIMIT_REM * rem, LIMIT_SHARE * innerHeight)
}
