/** Splits HTML of our own renderer into tags, entities, words, and the text between words. */

/** The pieces; joined, they equal the text. */
export const splitHtml = (html: string): string[] => html.match(/<[^>]*>|&[^;\s<]*;|[\p{L}\p{N}_]+|\s+|[^<]/gu) ?? []

/** Highlights these words wherever they are not inside a tag (messages.md 1.8). */
export const highlightWords = (html: string, words: ReadonlySet<string>): string =>
  words.size === 0
    ? html
    : splitHtml(html)
        .map((piece) => (words.has(piece) ? `<span class="highlight">${piece}</span>` : piece))
        .join('')
