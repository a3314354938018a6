/** HTML that we made, in pieces: tags, entities, words, and what is between words. */

/** The pieces; joined, they are the text again. */
export const piecesOf = (html: string): string[] => html.match(/<[^>]*>|&[^;\s<]*;|[\p{L}\p{N}_]+|\s+|[^<]/gu) ?? []

/** The text with these words highlighted, wherever they are not inside of a tag (messages.md 1.8). */
export const marked = (html: string, words: ReadonlySet<string>): string =>
  words.size === 0
    ? html
    : piecesOf(html)
        .map((piece) => (words.has(piece) ? `<span class="highlight">${piece}</span>` : piece))
        .join('')
