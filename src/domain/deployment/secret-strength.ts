/**
 * Recognizes secrets that an attacker could guess: examples of the documentation, repetitions, sequences and words.
 *
 * The check cannot measure how a secret was made. It refuses what `openssl rand -hex 32` and `-base64 32` produce less
 * often than once in a million times.
 */

const MIN_LENGTH = 32
const MIN_DISTINCT_CHARACTERS = 8

/**
 * Words of examples and of secrets that users type. Random text of 64 characters has one of them once in 10^6 times.
 */
const exampleWords =
  /replace|change.?me|example|secret|password|random|placeholder|hexadecimal|default|parley|insert|0123456|1234567|qwerty|asdfgh|1qaz2wsx|quick.?brown|lorem.?ipsum/i

/** Finds what is weak about a secret. Returns the end of a sentence, or undefined if this check recognizes nothing. */
export const findWeakness = (secret: string): string | undefined => {
  const length = [...secret].length
  if (length < MIN_LENGTH) return `has ${length} characters, and must have at least ${MIN_LENGTH}`
  if (exampleWords.test(secret)) return 'is an example or contains a word that attackers try'
  if (new Set(secret).size < MIN_DISTINCT_CHARACTERS || hasRepetitions(secret)) return 'repeats itself'
  if (isSequence(secret)) return 'is a sequence of neighbouring characters'
  if (consistsOfWords(secret)) return 'consists of words'
  return undefined
}

/** Whether more than a fifth of the pieces of four characters occur again. */
const hasRepetitions = (text: string): boolean => {
  const pieces = Array.from({ length: text.length - 3 }, (_, i) => text.slice(i, i + 4))
  return new Set(pieces).size < 0.8 * pieces.length
}

/** Whether two thirds of the characters follow a neighbour in the alphabet, like `abcdef` and `987654`. */
const isSequence = (text: string): boolean => {
  const steps = Array.from({ length: text.length - 1 }, (_, i) => text.charCodeAt(i + 1) - text.charCodeAt(i))
  return steps.filter((step) => Math.abs(step) <= 1).length > (2 / 3) * steps.length
}

/** The most frequent pairs of letters in English text: more than half of its pairs, and a twelfth of random ones. */
const frequentPairs = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ' +
    'ic ne ea ra ce li ch ll be ma si om ur'
  ).split(' '),
)

/** Whether the letters follow each other as in English, and digits and capitals do not stand between them. */
const consistsOfWords = (text: string): boolean => {
  const kinds = [...text].map((character) => {
    if (/[a-z]/.test(character)) return 'a'
    if (/[A-Z]/.test(character)) return 'A'
    return /\d/.test(character) ? '0' : '-'
  })
  const turns = kinds.filter((kind, i) => i > 0 && kind !== kinds[i - 1]).length
  const pairs = [...text.toLowerCase()]
    .map((_, i) => text.slice(i, i + 2).toLowerCase())
    .filter((pair) => /^[a-z]{2}$/.test(pair))
  const isHexadecimal = /^[\da-f]+$/i.test(text)
  if (isHexadecimal || pairs.length < 12 || turns > 0.4 * text.length) return false
  return pairs.filter((pair) => frequentPairs.has(pair)).length > 0.38 * pairs.length
}
