/** Decodes the bytes of a text file. */
import { MAX_CHARACTERS } from './text-collector.js'

/** Bytes that a text has only if it is no text: control characters apart from tab, line and page feed, and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for control characters.
const BINARY = /[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]/

/** Four bytes for each character are the most that an encoding needs. */
const MAX_BYTES = 4 * MAX_CHARACTERS

/** Returns the text in the bytes; undefined: they are not text. UTF-8, UTF-16 with a mark, or else Windows-1252. */
export const decodePlainText = (bytes: Uint8Array): string | undefined => {
  const part = bytes.subarray(0, MAX_BYTES)
  const utf16 = part[0] === 0xff && part[1] === 0xfe ? 'utf-16le' : part[0] === 0xfe && part[1] === 0xff && 'utf-16be'
  const text = utf16 ? new TextDecoder(utf16).decode(part) : (decodeUtf8(part) ?? decodeSingleBytes(part))
  return BINARY.test(text) ? undefined : text.slice(0, MAX_CHARACTERS)
}

const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    // A character that the end of the part cuts is no error.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

const decodeSingleBytes = (bytes: Uint8Array): string => new TextDecoder('windows-1252').decode(bytes)
