/**
 * Placeholders: they replace rendered HTML in a text until the last inline pass has run.
 *
 * Each kind of inline syntax has a pass over the text, in order of precedence (inline-renderer.ts). A later pass must
 * not see what an earlier pass rendered. So the earlier pass stores the HTML as a fragment, and replaces the source
 * characters by a placeholder with the number of the fragment.
 *
 * 1. A placeholder is STX, digits, ETX. The source contains neither STX nor ETX: `render` removes both.
 * 2. The HTML of a fragment is final. The source of a fragment can contain placeholders of earlier fragments only.
 * 3. A pass that needs the typed characters (of an address, of a name) calls `restoreSource`.
 */

import { appendHtml, empty, escapeText, type Html, joinHtml } from '../../html/html.js'
import { removeIndentation, renderPlainText } from './plain-text.js'
import type { RenderContext } from './render-context.js'
import type { RenderState } from './render-state.js'

/** The control character at the beginning of a placeholder (1). */
export const STX = '\u0002'
const ETX = '\u0003'

const placeholder = new RegExp(`${STX}(\\d+)${ETX}`, 'g')

interface RenderedFragment {
  html: Html
  /** as typed; can contain placeholders of earlier fragments */
  source: string
}

/** The state of rendering one inline text: a paragraph, a heading, a list item or a table cell. */
export interface InlineState {
  readonly context: RenderContext
  readonly render_state: RenderState
  /** the text is inside a blockquote: its mentions are silent and its links have no previews */
  readonly quoted: boolean
  /** the text of a table cell follows its pipe without a space: only a wildcard mention can begin there */
  readonly touches_pipe: boolean
  readonly fragments: RenderedFragment[]
}

/** Renders the text inside an element with the passes of lower precedence. */
export type RenderInner = (text: string, inline: InlineState) => Html

/** Replaces every occurrence of one syntax by a placeholder. Returns the new text. */
export type InlinePass = (text: string, inline: InlineState, inner: RenderInner) => string

/** Stores HTML as a fragment, and returns its placeholder. `source` is the text that the placeholder replaces. */
export const insertPlaceholder = ({ fragments }: InlineState, html: Html, source: string): string =>
  `${STX}${fragments.push({ html, source }) - 1}${ETX}`

/** Returns a text as its author typed it. Every placeholder is replaced by its source. */
export const restoreSource = (text: string, inline: InlineState): string => {
  if (!text.includes(STX)) return text
  return text.replace(placeholder, (_, index: string) => {
    const fragment = inline.fragments[Number(index)]
    return fragment === undefined ? '' : restoreSource(fragment.source, inline)
  })
}

/** Returns the HTML of a text after the last pass. Fragments replace the placeholders, and the rest is plain text. */
export const resolvePlaceholders = (text: string, { fragments }: InlineState): Html => {
  let start = text.indexOf(STX)
  if (start === -1) return renderPlainText(text)
  let html = empty
  let end = 0
  for (; start !== -1; start = text.indexOf(STX, end)) {
    if (start > end) html = appendHtml(html, renderPlainText(removeIndentation(text.slice(end, start))))
    end = text.indexOf(ETX, start) + 1
    html = appendHtml(html, fragments[Number(text.slice(start + 1, end - 1))]?.html ?? empty)
  }
  return end < text.length ? appendHtml(html, renderPlainText(text.slice(end))) : html
}

/**
 * Returns the HTML of a text that no further pass renders. Fragments replace the placeholders, and the rest is as
 * typed.
 */
export const resolveLiterally = (text: string, { fragments }: InlineState): Html =>
  joinHtml(
    text
      .split(placeholder)
      .map((part, i) => (i % 2 === 0 ? escapeText(part) : (fragments[Number(part)]?.html ?? empty))),
  )

/** Builds the output of a pass: the text with some ranges replaced. */
export class TextRewriter {
  #out = ''
  #done = 0

  constructor(readonly text: string) {}

  /** Replaces the range [start, end). Ranges must be replaced from left to right. */
  replace(start: number, end: number, by: string): void {
    this.#out += this.text.slice(this.#done, start) + by
    this.#done = end
  }

  result(): string {
    return this.#done === 0 ? this.text : this.#out + this.text.slice(this.#done)
  }
}
