/** Parses JSON from clients, with bounds on its depth, its values and its text. */

import { limits } from '../../domain/limits/limits.js'

/** The maximum nesting of lists and objects: more than any client needs, and safe for recursive functions. */
const MAX_DEPTH = 100
/** A text with fewer characters cannot exceed a bound: each level needs two, and each value too. */
const MIN_CHECKED_LENGTH = 2 * MAX_DEPTH

/** Parses a JSON text. Returns undefined when the text is not JSON, has a lone surrogate, or exceeds a bound. */
export const parseJson = (source: string): unknown => {
  if (source.length >= MIN_CHECKED_LENGTH && !isWithinBounds(source)) return undefined
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    return undefined
  }
  // Decoded UTF-8 has no lone surrogates: only an escape can produce one.
  return source.includes('\\u') && someText(value, hasLoneSurrogate) ? undefined : value
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Whether a text, if it is JSON, keeps the bounds. It is scanned first, because `JSON.parse` has no bounds. */
const isWithinBounds = (source: string): boolean => {
  let depth = 0
  let values = 1
  for (let at = 0; at < source.length; at++) {
    const character = source.charCodeAt(at)
    if (character === QUOTE) at = endOfString(source, at)
    else if (character === OPEN_LIST || character === OPEN_OBJECT) {
      values++
      depth++
      if (depth > MAX_DEPTH) return false
    } else if (character === CLOSE_LIST || character === CLOSE_OBJECT) depth--
    else if (character === COMMA || character === COLON) values++
    if (values > limits.max_json_values) return false
  }
  return true
}

/** The position of the quote that ends the string that begins at `start`; the end of the text when there is none. */
const endOfString = (source: string, start: number): number => {
  for (let at = start; ; ) {
    at = source.indexOf('"', at + 1)
    if (at === -1) return source.length
    let backslashes = 0
    while (source.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at
  }
}

/** Whether any string or key of a JSON value has a property. */
const someText = (value: unknown, has: (text: string) => boolean): boolean => {
  if (typeof value === 'string') return has(value)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    for (const item of value) if (someText(item, has)) return true
    return false
  }
  for (const key in value) if (has(key) || someText((value as Record<string, unknown>)[key], has)) return true
  return false
}

/** A lone surrogate cannot be stored by Postgres. */
const hasLoneSurrogate = (text: string): boolean => /\p{Surrogate}/u.test(text)

/** Whether U+0000 is in any string or key of a JSON value. Postgres cannot store this character. */
export const hasNul = (value: unknown): boolean => someText(value, (text) => text.includes('\0'))
