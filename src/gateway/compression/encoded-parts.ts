/** The parts of an answer as bytes: those of shared texts, and between them the texts of this answer only. */
import { type Fragment, SharedText, TextSlice } from '../../domain/protocol/raw-json.js'

/** Bytes of one shared text, of consecutive private texts, which only this answer has, or of a secret. */
export type EncodedPart =
  | { bytes: Uint8Array; source: 'private' | 'secret' }
  | { bytes: Uint8Array; source: SharedText }

/** Encodes the fragments. Consecutive private texts become one part. The bytes of a shared text are not copied. */
export const encodeParts = (fragments: readonly Fragment[]): EncodedPart[] => {
  const parts: EncodedPart[] = []
  let privateTexts: (string | TextSlice)[] = []
  const endPrivate = () => {
    if (privateTexts.length > 0) parts.push({ bytes: encodeTexts(privateTexts), source: 'private' })
    privateTexts = []
  }
  for (const fragment of fragments) {
    if (typeof fragment === 'string' || fragment instanceof TextSlice) {
      privateTexts.push(fragment)
      continue
    }
    endPrivate()
    if (fragment instanceof SharedText) parts.push({ bytes: fragment.bytes, source: fragment })
    else parts.push({ bytes: Buffer.from(fragment.text), source: 'secret' })
  }
  endPrivate()
  return parts
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
