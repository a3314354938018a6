/**
 * A list of rows of one height, of which only those in sight are in the page: 10,000 rows cost as much as 40.
 *
 * Arrow keys, Home and End move the focus over all rows, also over those that are not in the page yet.
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../languages/t.js'
import { Boundary } from './boundary.js'
import { textScale } from './screen.js'

/** Rows that are in the page above and below those in sight. */
const MARGIN = 8

interface VirtualListProps<Item> {
  items: readonly Item[]
  /** in pixels, for text of the standard size */
  rowHeight: number
  label: string
  keyOf: (item: Item) => string | number
  /** Renders a row; `focus` belongs to the button or the link in it. */
  renderRow: (item: Item, focus: { tabIndex: number; onFocus: () => void }) => ComponentChildren
  /** Whether a row has a button or a link. A heading has none. Without it, all rows have. */
  hasFocus?: (item: Item) => boolean
}

/** Shows the rows in a scrolling area that fills its parent. */
export const VirtualList = <Item,>(props: VirtualListProps<Item>) => {
  const { items, rowHeight: height, label, keyOf, renderRow, hasFocus = () => true } = props
  const rowHeight = height * Math.max(1, textScale.value)
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [range, setRange] = useState({ top: 0, height: 800 })
  const [focused, setFocused] = useState(0)
  const wantsFocus = useRef(false)

  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const measure = () => setRange({ top: element.scrollTop, height: element.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])

  const first = Math.max(0, Math.floor(range.top / rowHeight) - MARGIN)
  const last = Math.min(items.length, Math.ceil((range.top + range.height) / rowHeight) + MARGIN)

  useLayoutEffect(() => {
    content.current?.style.setProperty('height', `${items.length * rowHeight}px`)
    content.current?.style.setProperty('--row-height', `${rowHeight}px`)
    content.current?.style.setProperty('--first-row', `${first * rowHeight}px`)
  }, [items.length, rowHeight, first])

  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    const row = content.current?.querySelector<HTMLElement>('[data-focused] :is(a, button)')
    if (row === null || row === undefined) return
    wantsFocus.current = false
    row.focus({ preventScroll: true })
  })

  /** The nearest row with a button or a link, from this one on in the direction; else in the other one. */
  const findFocusable = (start: number, step: 1 | -1): number => {
    const isFocusable = (index: number) => hasFocus(items[index] as Item)
    let index = start
    while (index >= 0 && index < items.length && !isFocusable(index)) index += step
    if (index >= 0 && index < items.length) return index
    index = start
    while (index >= 0 && index < items.length && !isFocusable(index)) index -= step
    return index
  }
  const current = findFocusable(Math.min(focused, items.length - 1), 1)

  const moveFocus = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: -items.length, End: items.length }
    const move = moves[event.key]
    const element = scroller.current
    if (move === undefined || element === null) return
    event.preventDefault()
    const next = findFocusable(Math.max(0, Math.min(items.length - 1, current + move)), move < 0 ? -1 : 1)
    setFocused(next)
    wantsFocus.current = true
    const top = next * rowHeight
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight
  }

  return (
    <section class="virtual-list" ref={scroller} onKeyDown={moveFocus} aria-label={label} tabIndex={-1}>
      <div class="virtual-list-content" ref={content}>
        <ul class="virtual-list-rows">
          {items.slice(first, last).map((item, offset) => {
            const index = first + offset
            const isFocused = index === current
            const focus = { tabIndex: isFocused ? 0 : -1, onFocus: () => setFocused(index) }
            return (
              <li
                key={keyOf(item)}
                class="virtual-list-row"
                aria-setsize={items.length}
                aria-posinset={index + 1}
                {...(isFocused && { 'data-focused': '' })}
              >
                <Boundary note={t('This line cannot be shown.')} of={item}>
                  <Row render={() => renderRow(item, focus)} />
                </Boundary>
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
}

/** Renders inside of its boundary, which catches nothing of what the list itself renders. */
const Row = ({ render }: { render: () => ComponentChildren }) => <>{render()}</>
