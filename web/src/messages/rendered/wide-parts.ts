/**
 * Code, tables and formulas that are wider than their message scroll inside themselves. Only what scrolls can have the
 * focus, so that the arrow keys scroll it, and Tab does not stop at everything else.
 */
import { t } from '../../languages/t.js'

const LONG_CELL = 24

const names: readonly [selector: string, name: string][] = [
  ['pre', t('Code')],
  ['.table-frame', t('Table')],
  ['.katex-display', t('Formula')],
  ['.katex', t('Formula')],
]
const wideParts = names.map(([selector]) => selector).join(', ')

/** Puts each table of a message into a frame that scrolls. */
export const frameTables = (content: ParentNode): void => {
  for (const table of content.querySelectorAll('table')) {
    const frame = document.createElement('div')
    frame.className = 'table-frame'
    table.replaceWith(frame)
    frame.append(table)
    for (const cell of table.querySelectorAll('td, th')) {
      cell.classList.toggle('long-cell', (cell.textContent?.length ?? 0) > LONG_CELL)
    }
  }
}

let observer: ResizeObserver | undefined

/** Keeps up to date which parts of a message scroll, whatever its width. */
export const watchWideParts = (root: HTMLElement): void => {
  if (root.querySelector(wideParts) === null) return
  observer ??= new ResizeObserver((entries) => {
    for (const { target } of entries) markWideParts(target)
  })
  observer.unobserve(root)
  observer.observe(root)
}

const markWideParts = (root: Element): void => {
  for (const part of root.querySelectorAll<HTMLElement>(wideParts)) {
    if (part.matches('.katex-display .katex')) continue
    // A formula inside a line has no width of its own until it scrolls.
    if (part.matches('.katex')) part.classList.toggle('wide-formula', isTooWide(part, root))
    const scrolls = part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0
    if (scrolls) {
      part.tabIndex = 0
      part.role = 'group'
      part.ariaLabel = names.find(([selector]) => part.matches(selector))?.[1] ?? null
    } else {
      for (const name of ['tabindex', 'role', 'aria-label']) part.removeAttribute(name)
    }
  }
}

const isTooWide = (formula: HTMLElement, root: Element): boolean => {
  const width = Math.max(0, ...[...formula.querySelectorAll('.base')].map((base) => base.getBoundingClientRect().width))
  return width > root.clientWidth
}
