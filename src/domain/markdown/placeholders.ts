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

import { renderPlain } from './plain-text.js'
import type { RenderContext } from './render-context.js'
import type { Findings } from './render-state.js'

export const STX = '\u0002'
const ETX = '\u0003'

const mark = new RegExp(`${STX}(\\d+)${ETX}`, 'g')

interface Piece {
  html: string
  /** as typed; may contain marks of earlier pieces */
  source: string
}

/** One run of inline text: a paragraph, a heading, a list item, a table cell. */
export interface Inline {
  readonly context: RenderContext
  readonly findings: Findings
  /** inside a blockquote nobody is notified and nothing is previewed */
  readonly quoted: boolean
  /** inside link text there are no further links */
  readonly in_link: boolean
  readonly pieces: Piece[]
}

/** Renders inner text with the passes of lower precedence. */
export type RenderInner = (text: string, inline: Inline) => string

/** Replaces what it recognises by marks. */
export type Pass = (text: string, inline: Inline, inner: RenderInner) => string

/** Takes a piece out of the text; returns the mark that takes its place. */
export const put = ({ pieces }: Inline, html: string, source: string): string =>
  `${STX}${pieces.push({ html, source }) - 1}${ETX}`

/** The typed characters of a text with marks. */
export const source = (text: string, inline: Inline): string => {
  if (!text.includes(STX)) return text
  return text.replace(mark, (_, index: string) => {
    const piece = inline.pieces[Number(index)]
    return piece === undefined ? '' : source(piece.source, inline)
  })
}

/** The HTML of a text after the last pass: marks become their pieces, the rest is plain text. */
export const finish = (text: string, { pieces }: Inline): string => {
  let start = text.indexOf(STX)
  if (start === -1) return renderPlain(text)
  let html = ''
  let end = 0
  for (; start !== -1; start = text.indexOf(STX, end)) {
    if (start > end) html += renderPlain(text.slice(end, start))
    end = text.indexOf(ETX, start) + 1
    html += pieces[Number(text.slice(start + 1, end - 1))]?.html ?? ''
  }
  return end < text.length ? html + renderPlain(text.slice(end)) : html
}

/** Collects the output of a pass: the untouched stretches, and what replaced the others. */
export class Rewrite {
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
