/** Parses JSON from clients, with bounds on its depth and its text. */

/** The maximum nesting of lists and objects: more than any client needs, and safe for recursive functions. */
const MAX_DEPTH = 100

/** The value of a JSON text; undefined when it is not JSON, has a lone surrogate, or is nested deeper than MAX_DEPTH. */
export const parseJson = (source: string): unknown => {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    return undefined
  }
  const hasEscapes = source.includes('\\u')
  if (!hasEscapes && source.length < 2 * MAX_DEPTH) return value
  // Decoded UTF-8 has no lone surrogates: only an escape can produce one.
  return isStorable(value, MAX_DEPTH, hasEscapes ? isUnicode : isAnything) ? value : undefined
}

const isStorable = (value: unknown, depth: number, isText: (text: string) => boolean): boolean => {
  if (typeof value === 'string') return isText(value)
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.entries(value).every(([key, inner]) => isText(key) && isStorable(inner, depth - 1, isText))
}

const isAnything = () => true

/** Whether the string has no lone surrogate, which Postgres cannot store. */
const isUnicode = (text: string): boolean => !/\p{Surrogate}/u.test(text)

/** Whether U+0000, which Postgres cannot store, is in any string or key of a JSON value. */
export const hasNul = (value: unknown): boolean => {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => key.includes('\0') || hasNul(inner))
}
