/**
 * Renders formulas, `$$x^2$$` and the math fence, with KaTeX.
 *
 * 1. A formula cannot link to, load or style anything outside itself (`trust` is off), and its size is limited.
 * 2. The time that KaTeX takes grows with the length of a formula. Some characters take more time: a command can draw
 *    many symbols, an `&` makes a column of a matrix, KaTeX measures each letter outside ASCII by itself. So characters
 *    have weights, 5 to 20 µs per unit, and FORMULA_BUDGET limits the weight of all formulas of a message.
 * 3. Macros multiply the work. A formula that defines macros can expand so many times that expansions × weight is at
 *    most FORMULA_BUDGET.
 *
 * KaTeX stays at 0.16: later releases renamed the classes (`base`, `strut`, `sizing`) that the styles of clients use. A
 * formula that cannot be drawn is shown as typed. Source: protocol/messages.md 6.2 and 6.3.
 */
import katex from 'katex'
import { element, escapeCode, escapeQuotes, type Html, html, plain, trustHtml } from '../../html/html.js'
import { wordCharacter } from '../../text/characters.js'
import { type InlinePass, insertPlaceholder, STX, TextRewriter } from '../context/placeholders.js'
import type { RenderState } from '../context/render-state.js'

/** The largest weight of all formulas of a message together. */
export const FORMULA_BUDGET = 2_000

const MAX_EXPANSIONS = 1_000
const MAX_SIZE_EM = 50

/** Renders `$$x$$` within a line. */
export const renderFormulas: InlinePass = (text, inline) => {
  let start = text.indexOf('$$')
  if (start === -1) return text
  const rewrite = new TextRewriter(text)
  while (start !== -1) {
    const end = canOpen(text, start) ? findClosing(text, start + 2) : -1
    const tex = text.slice(start + 2, end)
    // The text contains a placeholder, for example of code or of a mention: syntax of higher precedence stays.
    if (end === -1 || tex.includes(STX)) {
      start = text.indexOf('$$', start + 1)
      continue
    }
    const drawn = drawFormula(tex, false, inline.render_state) ?? writeError(escapeCode(`$$${tex}$$`))
    rewrite.replace(start, end + 2, insertPlaceholder(inline, drawn, text.slice(start, end + 2)))
    start = text.indexOf('$$', end + 2)
  }
  return rewrite.result()
}

/** Writes the HTML of a math fence. Each part between blank lines is a formula of its own. */
export const writeFormulaBlock = (tex: string, render_state: RenderState): Html => {
  const drawn = tex
    .split('\n\n')
    .map((part) => drawFormula(part, true, render_state) ?? writeError(escapeQuotes(part, '&#x27;')))
  return element(
    'p',
    plain,
    drawn.reduce((all, formula) => html`${all}\n\n${formula}`),
  )
}

const writeError = (tex: Html): Html => element('span', { class: 'tex-error' }, tex)

/** Dollars beside such a character belong to a word, as in `US$$`. */
const inWord = new RegExp(wordCharacter, 'u')

const canOpen = (text: string, at: number): boolean => {
  const before = text[at - 1] ?? ''
  const first = text[at + 2] ?? '\n'
  return before !== '$' && !inWord.test(before) && first !== '$' && first !== '_' && first !== '\n'
}

/** Finds the closing dollars. Dollars after a backslash close the formula only if no others on the line do. */
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
  return text[at + 1] === '$' && after !== '$' && !inWord.test(after)
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

const drawFormula = (tex: string, displayMode: boolean, render_state: RenderState): Html | undefined => {
  const weight = computeWeight(tex)
  if (weight > render_state.formula_budget) return undefined
  render_state.formula_budget -= weight
  const maxExpand = definition.test(tex) ? Math.floor(FORMULA_BUDGET / weight) : MAX_EXPANSIONS
  const { warn } = console
  try {
    // KaTeX warns of letters that it has no metrics for. The content of messages must not get into the log.
    console.warn = () => {}
    const options = { displayMode, maxExpand, maxSize: MAX_SIZE_EM, strict: false, trust: false, throwOnError: true }
    return trustHtml(katex.renderToString(tex, options))
  } catch {
    // A ParseError, or a stack overflow after thousands of braces.
    return undefined
  } finally {
    console.warn = warn
  }
}
