/** Collects the text of one document, up to a limit. */

/** The characters of a document that are read. A book of 500 pages has about a million. */
export const MAX_CHARACTERS = 1_000_000

export interface TextCollector {
  /** Adds a piece of text; what exceeds the limit is dropped. */
  add(piece: string): void
  /** whether nothing more is added */
  isFull(): boolean
  text(): string
}

/** Creates an empty collector. */
export const createTextCollector = (limit = MAX_CHARACTERS): TextCollector => {
  const pieces: string[] = []
  let left = limit
  return {
    add(piece) {
      if (left <= 0 || piece === '') return
      pieces.push(piece.length > left ? piece.slice(0, left) : piece)
      left -= piece.length
    },
    isFull: () => left <= 0,
    text: () => pieces.join(''),
  }
}
