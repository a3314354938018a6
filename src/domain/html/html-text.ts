/**
 * The text that readers see in HTML which this server wrote, and where each part of it is in the HTML.
 *
 * 1. Elements within a line join the text around them: a word may be partly bold. Other elements separate it.
 * 2. In MathML and SVG, tags separate words, and a mark cannot be inserted: a browser would move it out of its place.
 */
import { parseHtml, textOf } from './html-tree.js'

/** A part of the text. An entity is one part, as it cannot be cut. */
export interface TextPiece {
  /** where it is in the HTML */
  from: number
  to: number
  /** where it is in the text */
  start: number
  end: number
}

/** A text and its parts in order, without those in which nothing can be marked (2). */
export interface HtmlText {
  text: string
  pieces: TextPiece[]
}

const token = /<(math|svg)[ >][\s\S]*?<\/\1>|<\/?([a-z][a-z0-9]*)[^>]*>|<[^>]*>|&[^;\s<&]{1,40};|[^<&]+|[<&]/gi
const tag = /<[^>]*>/g
const inline = new Set(
  'a abbr annotation b code del em font i ins kbd label mark q s small span strong sub sup time tt u'.split(' '),
)

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&nbsp;': '\u00a0',
}

/** Decodes an entity that the server or an author wrote. */
const decodeEntity = (entity: string): string => entities[entity] ?? textOf(parseHtml(entity))

/** Reads the text of HTML. */
export const readHtmlText = (html: string): HtmlText => {
  let text = ''
  const pieces: TextPiece[] = []
  const add = (from: number, to: number, piece: string) => {
    pieces.push({ from, to, start: text.length, end: text.length + piece.length })
    text += piece
  }
  for (const { 0: found, 1: drawing, 2: name, index } of html.matchAll(token)) {
    if (drawing !== undefined) text += `\n${found.replace(tag, '\n')}\n`
    else if (name !== undefined) text += inline.has(name.toLowerCase()) ? '' : '\n'
    else if (found.startsWith('&') && found.length > 1) add(index, index + found.length, decodeEntity(found))
    else if (!found.startsWith('<') || found === '<') add(index, index + found.length, found)
  }
  return { text, pieces }
}
