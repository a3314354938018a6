/**
 * Finds the words that a user may have meant who typed an unknown word.
 *
 * Two words that differ by few letters become equal when some letters are removed from both. So each known word is kept
 * with the words that remain of it, as numbers (`wordKeys`), and a typed word has the same: those that share a number
 * are candidates, whose distance is then computed. No list is searched from its beginning to its end.
 */
import { letterDistance } from '../text/letter-distance.js'
import { foldWord } from './folding.js'
import { detectLanguages } from './languages.js'
import { readWords, stemForms } from './tokenize.js'

/** Shorter words have too many neighbours, longer ones are no words. */
const [MIN_LETTERS, MAX_LETTERS] = [4, 30]
/** From this length on, a word may have two mistakes. */
const MIN_LETTERS_FOR_TWO = 7
/** Letters are removed from the beginning of a word only: it has the same neighbours, and fewer numbers. */
const KEY_LETTERS = 8

const isOfLetters = /^[\p{L}\p{M}'’]+$/u

/**
 * Whether a word can be suggested, or be a mistake. Such a word, given in lower case, is of letters in a script with
 * spaces.
 */
export const isKnowable = (word: string): boolean => {
  const { length } = [...word]
  return length >= MIN_LETTERS && length <= MAX_LETTERS && isOfLetters.test(word)
}

/** The words of a text for `wordKeys`, with their number. */
export const countKnowableWords = (texts: Iterable<string>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const { lower, isLetter } of readWords(text))
      if (!isLetter && isKnowable(lower)) counts.set(lower, (counts.get(lower) ?? 0) + 1)
  return counts
}

/**
 * Returns the numbers that a word of an organization shares with its neighbours. It rarely shares these numbers with
 * other words. They fit into 32 bits with a sign.
 */
export const wordKeys = (realm_id: number, word: string): number[] => {
  const letters = [...foldWord(word)]
  const whole = letters.slice(0, KEY_LETTERS).join('')
  const keys = new Set([whole])
  let last = [whole]
  for (let removed = 0; removed < allowedDistance(letters.length); removed++) {
    last = last.flatMap((text) => [...text].map((_, i, all) => all.toSpliced(i, 1).join('')))
    for (const text of last) keys.add(text)
  }
  return [...keys].map((text) => hash(`${realm_id}:${text}`))
}

/** How many mistakes a word of so many letters may have. */
const allowedDistance = (letters: number): number => (letters < MIN_LETTERS_FOR_TWO ? 1 : 2)

/** FNV-1a. */
const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value | 0
}

/** A known word: how common it is, on a scale of doubling numbers. */
export interface KnownWord {
  word: string
  rank: number
}

/**
 * Sorts the neighbours of a typed word, the nearest first. Of neighbours at the same distance, the most common one is
 * first. Others are left out, and so are words of the same stem, which a search for the typed word finds too.
 */
export const rankNeighbours = (typed: string, known: readonly KnownWord[]): string[] => {
  const letters = [...foldWord(typed)]
  const hasSameStem = (word: string) => {
    const languages = detectLanguages([word])
    const stems = new Set(stemForms(typed, languages))
    return stemForms(word, languages).some((stem) => stems.has(stem))
  }
  // Most mistakes are not in the first letter.
  const isRelated = ({ word }: { word: string }) => foldWord(word)[0] === letters[0]
  return known
    .filter(({ word }) => !hasSameStem(word))
    .map(({ word, rank }) => ({ word, rank, distance: letterDistance(letters, [...foldWord(word)]) }))
    .filter(({ word, distance }) => word !== typed && distance > 0 && distance <= allowedDistance(letters.length))
    .sort((a, b) => a.distance - b.distance || Number(isRelated(b)) - Number(isRelated(a)) || b.rank - a.rank)
    .map(({ word }) => word)
}
