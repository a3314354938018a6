/** Search texts with other words in the place of typed ones, to be tried one after the other. */
import { foldWord } from './folding.js'
import { isKnowable } from './spelling.js'
import { readWords } from './tokenize.js'

/** A word in the place of a typed one. */
export interface ReplacedWord {
  typed: string
  meant: string
}

/** A word of a search text that may be a mistake. */
interface TypedWord {
  word: string
  start: number
  end: number
  /** inside of quotation marks, or joined with other words by signs */
  isBound: boolean
}

/** Words of a text that are looked at, alternatives of each, and texts that are tried. */
const MAX_WORDS = 6
const MAX_ALTERNATIVES = 4
const MAX_ATTEMPTS = 8

/** The words of a search text that may be mistakes. */
export const findTypedWords = (text: string): TypedWord[] =>
  readWords(text)
    .filter(({ lower, isLetter }) => !isLetter && isKnowable(lower))
    .slice(0, MAX_WORDS)
    .map(({ start, end, lower: word }) => ({ word, start, end, isBound: isBound(text, start, end) }))

const isBound = (text: string, start: number, end: number): boolean => {
  const isQuoted = (text.slice(0, start).match(/["“”„‟＂]/g) ?? []).length % 2 === 1
  return isQuoted || !/^$|\s/.test(text.charAt(start - 1)) || !/^$|\s/.test(text.charAt(end))
}

/**
 * Plans the replacements to try, the most likely first. Each replaces one word, or all words that have an alternative.
 * @param alternatives of each typed word, the nearest first
 */
export const planAttempts = (
  typed: readonly string[],
  alternatives: (word: string) => readonly string[],
): ReplacedWord[][] => {
  const words = [...new Set(typed)].map((word) => ({ word, others: alternatives(word).slice(0, MAX_ALTERNATIVES) }))
  const attempts: ReplacedWord[][] = []
  for (let i = 0; i < MAX_ALTERNATIVES; i++) {
    for (const { word, others } of words) {
      const meant = others[i]
      if (meant !== undefined) attempts.push([{ typed: word, meant }])
    }
    const all = words.flatMap(({ word, others }) => {
      const meant = others[i] ?? others[0]
      return meant === undefined ? [] : [{ typed: word, meant }]
    })
    if (i === 0 && all.length > 1) attempts.push(all)
  }
  return attempts.slice(0, MAX_ATTEMPTS)
}

/**
 * Replaces words of a search text.
 * @param isExact quotes each replaced word, so that a search finds this word only, and no form of it
 */
export const replaceWords = (text: string, replaced: readonly ReplacedWord[], isExact: boolean): string => {
  let changed = ''
  let done = 0
  for (const { word, start, end, isBound } of findTypedWords(text)) {
    const meant = replaced.find(({ typed }) => typed === word)?.meant
    if (meant === undefined) continue
    changed += text.slice(done, start) + (isExact && !isBound ? `"${meant}"` : meant)
    done = end
  }
  return changed + text.slice(done)
}

/** Finds the word as a text spells it, apart from case and accents. Returns undefined if the text does not have it. */
export const findSpelling = (text: string, word: string): string | undefined => {
  const folded = foldWord(word)
  return readWords(text).find(({ lower }) => foldWord(lower) === folded)?.lower
}

/** Whether each replaced word stands by itself. If so, `replaceWords` can make it exact. */
export const canBeExact = (text: string, replaced: readonly ReplacedWord[]): boolean =>
  findTypedWords(text).every(({ word, isBound }) => !isBound || replaced.every(({ typed }) => typed !== word))
