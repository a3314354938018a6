/** Splits HTML that this server wrote into tags, entities, words, and the text between words. */
import { element, type Html, joinHtml, trustHtml } from '../../html/html.js'

/** MathML and SVG are one piece each: in them, a browser would move the mark out of its place. */
const piece = /<(math|svg)[ >][\s\S]*?<\/\1>|<[^>]*>|&[^;\s<]*;|[\p{L}\p{N}_]+|\s+|[^<]/gu

/** The pieces; joined, they equal the text. @param html HTML that this server wrote */
export const splitHtml = (html: string): Html[] => (html.match(piece) ?? []).map(trustHtml)

/** Highlights these words wherever they are not inside a tag (messages.md 1.8). */
export const highlightWords = (html: string, words: ReadonlySet<string>): Html =>
  words.size === 0
    ? trustHtml(html)
    : joinHtml(
        splitHtml(html).map((piece) => (words.has(piece) ? element('span', { class: 'highlight' }, piece) : piece)),
      )
