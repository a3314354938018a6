/**
 * Inline text under work: source characters with finished pieces standing in between.
 *
 * Inline syntax is recognised in order of precedence, one pass over the text each (see inline-renderer.ts). What a pass has
 * recognised must be invisible to the later ones, so it leaves the text and a mark takes its place.
 *
 * 1. A mark is STX, digits, ETX. The source contains neither: `render` removes them.
 * 2. A piece's HTML is final. A piece may stand inside another one, never the other way round.
 * 3. Whoever needs the typed characters back (an address, a name) asks `source`.
 */

import { renderPlainText } from './plain-text.js'
import type { RenderContext } from './render-context.js'
import type { RenderState } from './render-state.js'

export const STX = '\u0002'
const ETX = '\u0003'

const placeholder = new RegExp(`${STX}(\\d+)${ETX}`, 'g')

interface RenderedFragment {
  html: string
  /** as typed; may contain marks of earlier pieces */
  restoreSource: string
}

/** One run of inline text: a paragraph, a heading, a list item, a table cell. */
export interface InlineState {
  readonly context: RenderContext
  readonly render_state: RenderState
  /** inside a blockquote nobody is notified and nothing is previewed */
  readonly quoted: boolean
  /** inside link text there are no further links */
  readonly in_link: boolean
  readonly fragments: RenderedFragment[]
}

/** Renders inner text with the passes of lower precedence. */
export type RenderInner = (text: string, inline: InlineState) => string

/** Replaces what it recognises by marks. */
export type InlinePass = (text: string, inline: InlineState, inner: RenderInner) => string

/** Takes a piece out of the text; returns the mark that takes its place. */
export const insertPlaceholder = ({ fragments: pieces }: InlineState, html: string, source: string): string =>
  `${STX}${pieces.push({ html, restoreSource: source }) - 1}${ETX}`

/** The typed characters of a text with marks. */
export const source = (text: string, inline: InlineState): string => {
  if (!text.includes(STX)) return text
  return text.replace(placeholder, (_, index: string) => {
    const piece = inline.fragments[Number(index)]
    return piece === undefined ? '' : source(piece.restoreSource, inline)
  })
}

/** The HTML of a text after the last pass: marks become their pieces, the rest is plain text. */
export const resolvePlaceholders = (text: string, { fragments: pieces }: InlineState): string => {
  let start = text.indexOf(STX)
  if (start === -1) return renderPlainText(text)
  let html = ''
  let end = 0
  for (; start !== -1; start = text.indexOf(STX, end)) {
    if (start > end) html += renderPlainText(text.slice(end, start))
    end = text.indexOf(ETX, start) + 1
    html += pieces[Number(text.slice(start + 1, end - 1))]?.html ?? ''
  }
  return end < text.length ? html + renderPlainText(text.slice(end)) : html
}

/** Collects the output of a pass: the untouched stretches, and what replaced the others. */
export class TextRewriter {
  #out = ''
  #done = 0

  constructor(readonly text: string) {}

  /** Replaces [start, end); called from left to right. */
  replace(start: number, end: number, by: string): void {
    this.#out += this.text.slice(this.#done, start) + by
    this.#done = end
  }

  result(): string {
    return this.#done === 0 ? this.text : this.#out + this.text.slice(this.#done)
  }
}
