/**
 * Formulas: `$$x^2$$` and the math fence, drawn by KaTeX.
 *
 * 1. A formula cannot link, load or style anything outside of itself (`trust` off), nor grow without bound.
 * 2. What KaTeX takes grows with the length, and some characters weigh more: a command may draw many, an `&` of a
 *    matrix makes a column of it, a letter beyond ASCII is measured by itself. A message has a budget of such
 *    weights, 5 to 20 µs each.
 * 3. Macros multiply: with definitions of its own a formula expands at most so often that the sum stays in the budget.
 *
 * KaTeX stays at 0.16: later releases renamed the classes (`base`, `strut`, `sizing`) that clients lay out by. Whatever
 * cannot be drawn is shown as typed. Source: messages.md 6.2 and 6.3.
 */
import katex from 'katex'
import { escapeCode, escapeQuotes } from './escape.js'
import { type InlinePass, insertPlaceholder, STX, TextRewriter } from './placeholders.js'
import type { RenderState } from './render-state.js'

/** Weight of all formulas of a message. */
export const FORMULA_BUDGET = 2_000

const MAX_EXPANSIONS = 1_000
const MAX_SIZE_EM = 50

/** `$$x$$` within a line. */
export const renderFormulas: InlinePass = (text, inline) => {
  let start = text.indexOf('$$')
  if (start === -1) return text
  const rewrite = new TextRewriter(text)
  while (start !== -1) {
    const end = canOpen(text, start) ? findClosing(text, start + 2) : -1
    const tex = text.slice(start + 2, end)
    // somebody mentioned, or code: what ranks higher stays what it is
    if (end === -1 || tex.includes(STX)) {
      start = text.indexOf('$$', start + 1)
      continue
    }
    const html = drawFormula(tex, false, inline.render_state) ?? `<span class="tex-error">$$${escapeCode(tex)}$$</span>`
    rewrite.replace(start, end + 2, insertPlaceholder(inline, html, text.slice(start, end + 2)))
    start = text.indexOf('$$', end + 2)
  }
  return rewrite.result()
}

/** A math fence: each part between blank lines is a formula of its own. */
export const writeFormulaBlock = (tex: string, findings: RenderState): string => {
  const parts = tex.split('\n\n')
  const html = parts.map(
    (part) => drawFormula(part, true, findings) ?? `<span class="tex-error">${escapeQuotes(part, '&#x27;')}</span>`,
  )
  return `<p>${html.join('\n\n')}</p>`
}

const wordCharacter = /[\p{L}\p{N}_]/u

const canOpen = (text: string, at: number): boolean => {
  const before = text[at - 1] ?? ''
  const first = text[at + 2] ?? '\n'
  return before !== '$' && !wordCharacter.test(before) && first !== '$' && first !== '_' && first !== '\n'
}

/** The closing dollars; a dollar after a backslash belongs to the formula if others close it. */
const findClosing = (text: string, from: number): number => {
  let escaped = -1
  for (let i = from; i < text.length && text[i] !== '\n'; i++) {
    if (text[i] !== '$') continue
    if (i > from + 1 && text[i - 1] === '\\') {
      if (isClosing(text, i)) escaped = i
      continue
    }
    return isClosing(text, i) ? i : escaped
  }
  return escaped
}

const isClosing = (text: string, at: number): boolean => {
  const after = text[at + 2] ?? ''
  return text[at + 1] === '$' && after !== '$' && !wordCharacter.test(after)
}

const definition = /\\(?:[gex]?def|(?:re|provide)?newcommand|providecommand|(?:future)?let|global|long)/

const computeWeight = (tex: string): number => {
  let weight = tex.length + 10
  for (const character of tex) {
    if (character === '&' || character === '@') weight += 6
    else if (character === '\\') weight += 3
    else if (character > '\x7f') weight += 4
  }
  return weight
}

const drawFormula = (tex: string, displayMode: boolean, findings: RenderState): string | undefined => {
  const weight = computeWeight(tex)
  if (weight > findings.formula_budget) return undefined
  findings.formula_budget -= weight
  const maxExpand = definition.test(tex) ? Math.floor(FORMULA_BUDGET / weight) : MAX_EXPANSIONS
  const { warn } = console
  try {
    // KaTeX reports letters it has no measures for; what people write is nothing for our logs
    console.warn = () => {}
    const options = { displayMode, maxExpand, maxSize: MAX_SIZE_EM, strict: false, trust: false, throwOnError: true }
    return katex.renderToString(tex, options)
  } catch {
    // a ParseError, or the stack at its end after thousands of braces
    return undefined
  } finally {
    console.warn = warn
  }
}
