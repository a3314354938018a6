/** Splits HTML that this server wrote into tags, entities, words, and the text between words; and marks parts of it. */
import { element, type Html, joinHtml, trustHtml } from '../../html/html.js'
import type { HtmlText } from '../../html/html-text.js'

/** MathML and SVG are one piece each: in them, a browser would move the mark out of its place. */
const piece = /<(math|svg)[ >][\s\S]*?<\/\1>|<[^>]*>|&[^;\s<]*;|[\p{L}\p{N}_]+|\s+|[^<]/gu

/** The pieces; joined, they equal the text. @param html HTML that this server wrote */
export const splitHtml = (html: string): Html[] => (html.match(piece) ?? []).map(trustHtml)

/** A part of a text. */
interface Part {
  start: number
  end: number
}

/**
 * Highlights parts of the text of HTML (protocol/messages.md 1.8). A part that begins in one element and ends in
 * another one is several marks, and an entity is marked whole.
 * @param parts in order; none overlaps another one
 */
export const highlightParts = (html: string, { pieces }: HtmlText, parts: readonly Part[]): Html => {
  const marked: Html[] = []
  let done = 0
  const copyTo = (end: number) => {
    if (end > done) marked.push(trustHtml(html.slice(done, end)))
    done = end
  }
  // Marks of neighbouring pieces are one, if no tag is between them.
  const mark = (from: number, to: number) => {
    copyTo(from)
    marked.push(element('span', { class: 'highlight' }, trustHtml(html.slice(from, to))))
    done = to
  }
  let open: { from: number; to: number; part: Part } | undefined
  let i = 0
  for (const { from, to, start, end } of pieces) {
    while (i < parts.length && (parts[i] as Part).end <= start) i++
    for (let k = i; k < parts.length && (parts[k] as Part).start < end; k++) {
      const part = parts[k] as Part
      const isWhole = to - from !== end - start
      const markFrom = isWhole ? from : from + Math.max(0, part.start - start)
      const markTo = isWhole ? to : to - Math.max(0, end - part.end)
      if (open?.part === part && open.to === markFrom) {
        open.to = markTo
        continue
      }
      if (open !== undefined) mark(open.from, open.to)
      open = { from: markFrom, to: markTo, part }
    }
  }
  if (open !== undefined) mark(open.from, open.to)
  copyTo(html.length)
  return joinHtml(marked)
}
