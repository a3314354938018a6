/**
 * Renders points in time: `<time:2025-01-02 15:00 CET>`. Each client shows them in the time zone of its user.
 *
 * Source: protocol/messages.md 6.3.
 */
import { element, escapeText, type Html } from '../../html/html.js'
import { type InlinePass, insertPlaceholder, STX, TextRewriter } from '../context/placeholders.js'
import type { RenderContext } from '../context/render-context.js'
import { parseDate } from './date-parser.js'

const opening = '<time:'

/** Renders `<time:…>`. */
export const renderGlobalTimes: InlinePass = (text, inline) => {
  let start = text.indexOf(opening)
  if (start === -1) return text
  const rewrite = new TextRewriter(text)
  while (start !== -1) {
    const end = text.indexOf('>', start)
    if (end === -1) break
    const typed = text.slice(start + opening.length, end)
    // The text contains a placeholder: syntax of higher precedence stays, as in formulas.
    if (typed.includes(STX)) {
      start = text.indexOf(opening, start + 1)
      continue
    }
    rewrite.replace(
      start,
      end + 1,
      insertPlaceholder(inline, writeTime(typed, inline.context), text.slice(start, end + 1)),
    )
    start = text.indexOf(opening, end + 1)
  }
  return rewrite.result()
}

const writeTime = (typed: string, { now }: RenderContext): Html => {
  const time = parseDate(typed, now?.() ?? new Date())
  return time === undefined
    ? element('span', { class: 'timestamp-error' }, escapeText(`Invalid time format: ${typed}`))
    : element('time', { datetime: time }, escapeText(typed))
}
