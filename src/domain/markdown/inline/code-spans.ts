/**
 * Renders inline code: a run of backticks, closed by the next run of the same length.
 *
 * If no run of the same length follows, a shorter run can close: it pairs with as many backticks of the opening run,
 * and the others belong to the code. So "``a`" is the code "`a". Line breaks between the runs are code too. A backslash
 * before a run makes its first backtick text, unless another backslash escapes it.
 * Source: protocol/messages.md 6.3.
 */
import { element, escapeCode, plain } from '../../html/html.js'
import { type InlinePass, insertPlaceholder, restoreSource, TextRewriter } from '../context/placeholders.js'

/** The pass that renders code spans. A run of backticks without a closing run stays as typed. */
export const renderCodeSpans: InlinePass = (text, inline) => {
  if (!text.includes('`')) return text
  const runs = findRuns(text)
  const later = new Map<number, number[]>()
  for (let i = runs.length - 1; i >= 0; i--) {
    const { length } = runs[i] as (typeof runs)[number]
    const same = later.get(length)
    if (same === undefined) later.set(length, [i])
    else same.push(i)
  }

  const rewrite = new TextRewriter(text)
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i] as (typeof runs)[number]
    const escaped = run.is_escaped ? 1 : 0
    const [start, length] = [run.start + escaped, run.length - escaped]
    const closing = findClosingRun(later, i, length)
    const end = closing === undefined ? undefined : runs[closing]
    if (closing === undefined || end === undefined) continue
    const code = text.slice(start + end.length, end.start)
    const typed = text.slice(start, end.start + end.length)
    rewrite.replace(
      start,
      start + typed.length,
      insertPlaceholder(inline, element('code', plain, escapeCode(restoreSource(code, inline))), typed),
    )
    i = closing
  }
  return rewrite.result()
}

const findRuns = (text: string): { start: number; length: number; is_escaped: boolean }[] =>
  Array.from(text.matchAll(/(\\*)(`+)/g), ({ 1: { length: backslashes } = '', 2: { length } = '', index }) => ({
    start: index + backslashes,
    length,
    is_escaped: backslashes % 2 === 1,
  }))

/**
 * Finds the next run after `from` that closes `length` backticks; if there is none, the one that closes most of them.
 */
const findClosingRun = (later: Map<number, number[]>, from: number, length: number): number | undefined => {
  for (let n = length; n > 0; n--) {
    const runs = later.get(n)
    while (runs !== undefined && runs.length > 0 && (runs.at(-1) as number) <= from) runs.pop()
    if (runs !== undefined && runs.length > 0) return runs.at(-1)
  }
  return undefined
}
