/** JSON that comes from outside: what it may hold, and how deep it may go. */

/** Lists and objects within each other: more than any client needs, and few enough to walk through by recursion. */
const MAX_DEPTH = 100

/** The value of a JSON text; undefined when it is none, holds text that is not Unicode, or is nested too deeply. */
export const parseJson = (source: string): unknown => {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    return undefined
  }
  const hasEscapes = source.includes('\\u')
  if (!hasEscapes && source.length < 2 * MAX_DEPTH) return value
  // Only an escape can be half a character.
  return isStorable(value, MAX_DEPTH, hasEscapes ? isUnicode : isAnything) ? value : undefined
}

const isStorable = (value: unknown, levels: number, isText: (text: string) => boolean): boolean => {
  if (typeof value === 'string') return isText(value)
  if (typeof value !== 'object' || value === null) return true
  return (
    levels > 0 && Object.entries(value).every(([key, inner]) => isText(key) && isStorable(inner, levels - 1, isText))
  )
}

const isAnything = () => true

/** Whether the string is well formed: a lone surrogate could be stored nowhere. */
const isUnicode = (text: string): boolean => !/\p{Surrogate}/u.test(text)

/** Whether a value of such a text holds U+0000 anywhere. */
export const hasNul = (value: unknown): boolean => {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => key.includes('\0') || hasNul(inner))
}
