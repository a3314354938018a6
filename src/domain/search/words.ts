/**
 * Splits text into words.
 *
 * 1. Between spaces, a word is a run of letters, digits and their marks. `_`, dots, slashes and other signs separate
 *    words.
 * 2. In scripts without spaces, and in Korean, which attaches particles to words, each letter with its marks is a word
 *    of its own: words are found as sequences of these.
 * 3. Characters that no reader sees are parts of words and separate none, except for the zero-width space.
 */
import { isMarkAt, kindOfCharacter } from '../text/characters.js'

/** A word, and where it is in the text. */
export interface Word {
  start: number
  end: number
  /** a letter of a script that is written without spaces (2) */
  isLetter: boolean
}

const ZERO_WIDTH_SPACE = 0x200b
const UNDERSCORE = 0x5f

type Kind = 'word' | 'letter' | 'hidden' | 'other'

const hangul = /\p{Script=Hangul}/u

const kindOf = (code: number): Kind => {
  if (code < 0x80) return code !== UNDERSCORE && kindOfCharacter(code) === 'letter' ? 'word' : 'other'
  switch (kindOfCharacter(code)) {
    case 'letter':
      return code >= 0x1100 && hangul.test(String.fromCodePoint(code)) ? 'letter' : 'word'
    case 'unspaced':
      return 'letter'
    case 'invisible':
      return code === ZERO_WIDTH_SPACE ? 'other' : 'hidden'
    default:
      return 'other'
  }
}

/** Whether a letter belongs to the one before it: vowels and finals of decomposed Korean, half-width voicing marks. */
const isAttached = (code: number): boolean =>
  (code >= 0x1160 && code <= 0x11ff) || (code >= 0xd7b0 && code <= 0xd7fb) || code === 0xff9e || code === 0xff9f

/** Splits a text into its words, in order. */
export const splitWords = (text: string): Word[] => {
  const words: Word[] = []
  let word: Word | undefined
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) as number
    const end = at + (code > 0xffff ? 2 : 1)
    const kind = kindOf(code)
    if (kind === 'other') {
      word = undefined
    } else if (word !== undefined && (kind === 'hidden' || continues(word, kind, text, at, code))) {
      word.end = end
    } else if (kind !== 'hidden') {
      word = { start: at, end, isLetter: kind === 'letter' }
      words.push(word)
    }
    at = end
  }
  return words
}

/** Whether a character continues the word before it. */
const continues = (word: Word, kind: 'word' | 'letter', text: string, at: number, code: number): boolean => {
  if (code > 0x7f && isMarkAt(text, at)) return true
  return word.isLetter ? isAttached(code) : kind === 'word'
}

/** A part of a word between spaces. */
export interface WordPart {
  start: number
  end: number
}

const part = /\p{Lu}+(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+/gu
const isUniform = /^(?:\p{Lu}?[\p{Ll}\p{M}]*|\p{Lu}+|[\p{Lo}\p{Lm}\p{M}]+|\p{N}+)$/u
const MIN_PART = 2

/** Splits a name such as `quinceMedlar4` at capitals and digits. Returns no parts if the word has only one. */
export const splitName = (word: string): WordPart[] => {
  if (isUniform.test(word)) return []
  const parts = [...word.matchAll(part)].map(({ 0: text, index }) => ({ start: index, end: index + text.length }))
  return parts.filter(({ start, end }) => end - start >= MIN_PART && end - start < word.length)
}
