/** Answers in pieces, as bytes. The bytes of a shared text are sent as they are, and copied for no answer. */
import { type Piece, SharedText, TextSlice } from '../../domain/protocol/raw-json.js'

/** An answer as bytes: the shared texts, and between them the texts of its own. */
export interface EncodedPieces {
  readonly chunks: readonly Uint8Array[]
  /** bytes of all chunks together */
  readonly length: number
  readonly parts: readonly EncodedPart[]
}

/** Bytes of one shared text, of consecutive texts of the answer's own, or of a secret. */
export type EncodedPart = { bytes: Uint8Array; source: 'own' | 'secret' } | { bytes: Uint8Array; source: SharedText }

/** Encodes the pieces. Consecutive texts of the answer's own become one part. */
export const encodePieces = (pieces: readonly Piece[]): EncodedPieces => {
  const parts: EncodedPart[] = []
  let own: (string | TextSlice)[] = []
  const endOwn = () => {
    if (own.length > 0) parts.push({ bytes: encodeTexts(own), source: 'own' })
    own = []
  }
  for (const piece of pieces) {
    if (typeof piece === 'string' || piece instanceof TextSlice) {
      own.push(piece)
      continue
    }
    endOwn()
    if (piece instanceof SharedText) parts.push({ bytes: piece.bytes, source: piece })
    else parts.push({ bytes: Buffer.from(piece.text), source: 'secret' })
  }
  endOwn()
  const chunks = parts.map(({ bytes }) => bytes)
  return { parts, chunks, length: chunks.reduce((sum, { length }) => sum + length, 0) }
}

/** Encodes texts into one buffer, without joining megabytes of text before. */
const encodeTexts = (texts: readonly (string | TextSlice)[]): Uint8Array => {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + countBytes(text), 0))
  let length = 0
  for (const text of texts) {
    if (typeof text === 'string') length += bytes.write(text, length)
    else {
      bytes.set(text.bytes, length)
      length += text.bytes.length
    }
  }
  return bytes
}

const countBytes = (text: string | TextSlice): number =>
  typeof text === 'string' ? Buffer.byteLength(text) : text.bytes.length
