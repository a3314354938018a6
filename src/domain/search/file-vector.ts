/**
 * The words of a file as a value of the type `tsvector`, which index-text.ts compares with queries.
 *
 * 1. Every word begins with the id of its organization, because one index has the words of all.
 * 2. A file may be a book: its text is read in parts, and the words beyond MAX_VECTOR_BYTES are dropped. Postgres
 *    refuses a vector of a megabyte.
 */
import { quoteLexeme } from './index-text.js'
import { MAX_POSITION, MAX_POSITIONS } from './match.js'
import { tokenize } from './tokenize.js'

const PART = 20_000
const MAX_VECTOR_BYTES = 800_000

/** The bytes of a word beside its characters, and of each place of it. */
const WORD_BYTES = 8
const PLACE_BYTES = 2

/** Composes the vector of a text (2). */
export const composeFileVector = (realm_id: number, text: string): string => {
  const positions = new Map<string, number[]>()
  let bytes = 0
  let first = 1
  for (const part of splitText(text)) {
    const tokens = tokenize(part)
    for (const { position, forms } of tokens) {
      for (const { form } of forms) {
        const found = positions.get(form)
        if (found === undefined) {
          bytes += Buffer.byteLength(form) + String(realm_id).length + WORD_BYTES
          if (bytes > MAX_VECTOR_BYTES) return formatVector(realm_id, positions)
        }
        const offset = Math.min(first + position, MAX_POSITION)
        if (found === undefined) positions.set(form, [offset])
        else if (found.length < MAX_POSITIONS && found.at(-1) !== offset) {
          found.push(offset)
          bytes += PLACE_BYTES
        }
      }
    }
    first += tokens.length
  }
  return formatVector(realm_id, positions)
}

/** The text in parts that end between words. */
function* splitText(text: string): Iterable<string> {
  for (let at = 0; at < text.length; ) {
    const space = text.slice(at + PART, at + 2 * PART).search(/\s/)
    const end = space < 0 ? at + 2 * PART : at + PART + space
    yield text.slice(at, end)
    at = end
  }
}

const formatVector = (realm_id: number, places: ReadonlyMap<string, readonly number[]>): string =>
  [...places].map(([form, at]) => `${quoteLexeme(`${realm_id}${form}`)}:${at.join()}`).join(' ')
