/**
 * The words of a text for full-text search, in the forms in which the index has them.
 *
 * Index, queries and marks ask this file, so they agree, whatever the locale of the database is.
 *
 * 1. Each word has a position, and all its forms are at this position. Neighbouring words have neighbouring positions,
 *    whatever is between them: so `sess.quince`, an address and a quoted phrase are found as sequences of words.
 * 2. A plain form, `:cafe`, is the word without its case and its accents. A word may have more of them: `:muller` and
 *    `:mueller`, `:quincemedlar` and its parts, a German compound and its parts.
 * 3. A stem, `=en:run`, has its language, and a word has stems of the languages of its text only. A query, which is too
 *    short to have a language, asks for stems of all languages of a script. The commonest words have none.
 * 4. A letter of a script without spaces has the form of a pair with the next letter, or its own if none follows.
 */

import { splitCompound } from './compounds.js'
import { foldWord, lowerWord, spellOut } from './folding.js'
import { detectLanguages, isCommonWord, type Language, languagesOfWord } from './languages.js'
import { stemWord } from './stems.js'
import { splitName, splitWords, type Word } from './words.js'

/** A form of a word, and which part of the text it stands for. */
export interface Form {
  form: string
  start: number
  end: number
}

/** A word of a text with its forms. */
export interface Token {
  start: number
  end: number
  /** 0 for the first word */
  position: number
  /** a letter of a script without spaces (4) */
  isLetter: boolean
  forms: Form[]
}

/** Longer words are cut: nobody types them, and an index has limits. */
const MAX_WORD = 100

/** The plain form of a word (2). */
export const plainForm = (folded: string): string => `:${folded}`

/** The form of a stem (3). @param word as `lowerWord` returns it */
export const stemForm = (language: Language, word: string): string =>
  `=${language}:${foldWord(stemWord(language, word))}`

/** Whether words like this have stems: digits and single letters do not. */
const hasStems = (word: string): boolean => word.length > 1 && !/\p{N}/u.test(word)

/** The stems of a word (3). @param among the languages of the text; undefined: all */
export const stemForms = (word: string, among?: ReadonlySet<Language>): string[] =>
  hasStems(word)
    ? languagesOfWord(word)
        .filter((language) => among === undefined || among.has(language))
        .map((language) => stemForm(language, word))
    : []

/** A word with its lower-case form, as `lowerWord` returns it. */
export interface ReadWord extends Word {
  lower: string
}

/** Returns the words of a text, in lower case. */
export const readWords = (text: string): ReadWord[] =>
  splitWords(text).map((word) => ({ ...word, lower: lowerWord(text.slice(word.start, word.end)).slice(0, MAX_WORD) }))

/**
 * Returns the words of a text with their positions and forms (1 to 4). The forms are all those that the index has of
 * them.
 * @param gap where a sequence of words ends: the words after it are no neighbours of those before it
 */
export const tokenize = (text: string, gap = Number.POSITIVE_INFINITY): Token[] => {
  const words = readWords(text)
  const languages = detectLanguages(words.filter(({ isLetter }) => !isLetter).map(({ lower }) => lower))
  return words.map((word, position) => ({
    start: word.start,
    end: word.end,
    position: word.start < gap ? position : position + 1,
    isLetter: word.isLetter,
    forms: word.isLetter
      ? [letterForm(words, position)]
      : [...wordForms(text, word, languages), ...joinedForms(text, words, position)],
  }))
}

/** `e-mail` also has the form of `email`, at its first word. */
const joinedForms = (text: string, words: readonly ReadWord[], i: number): Form[] => {
  const { start, end, lower } = words[i] as ReadWord
  const next = words[i + 1]
  if (next === undefined || next.isLetter || next.start !== end + 1 || !hyphen.test(text[end] ?? '')) return []
  if (!hasOnlyLetters(lower) || !hasOnlyLetters(next.lower)) return []
  return [{ form: plainForm(foldWord(lower + next.lower).slice(0, MAX_WORD)), start, end: next.end }]
}

const hyphen = /[-\u2010\u2011]/
const hasOnlyLetters = (word: string): boolean => !/\p{N}/u.test(word)

const letterForm = (words: readonly ReadWord[], i: number): Form => {
  const { start, end, lower } = words[i] as ReadWord
  const next = words[i + 1]
  return next?.isLetter === true && next.start === end
    ? { form: plainForm(foldWord(lower) + foldWord(next.lower)), start, end: next.end }
    : { form: plainForm(foldWord(lower)), start, end }
}

const wordForms = (text: string, word: ReadWord, languages: ReadonlySet<Language>): Form[] => {
  const { start, end, lower } = word
  const forms = new Map<string, Form>()
  const add = (form: string, from = start, to = end) => {
    if (!forms.has(form)) forms.set(form, { form, start: from, end: to })
  }
  add(plainForm(foldWord(lower)))
  const spelled = spellOut(lower)
  if (spelled !== undefined) add(plainForm(spelled))
  const signs = signedForm(text, end, lower)
  if (signs !== undefined) add(plainForm(signs), start, start + signs.length)
  if (!isCommonWord(lower, languages)) for (const stem of stemForms(lower, languages)) add(stem)
  for (const part of splitName(text.slice(start, end))) {
    const partWord = lowerWord(text.slice(start + part.start, start + part.end)).slice(0, MAX_WORD)
    add(plainForm(foldWord(partWord)), start + part.start, start + part.end)
    for (const stem of stemForms(partWord, languages)) add(stem, start + part.start, start + part.end)
  }
  if (languages.has('de') && lower.length === end - start)
    for (const part of splitCompound(lower)) {
      add(plainForm(foldWord(part.noun)), start + part.start, start + part.end)
      add(stemForm('de', part.noun), start + part.start, start + part.end)
    }
  return [...forms.values()]
}

/** Names of languages: `c++` and `f#` are not `c` and `f`. @param at where the word ends */
export const signedForm = (text: string, at: number, lower: string): string | undefined => {
  if (lower.length > 2) return undefined
  const signs = text.startsWith('++', at) ? '++' : text.startsWith('#', at) ? '#' : undefined
  const after = signs === undefined ? '' : text.slice(at + signs.length, at + signs.length + 1)
  return signs === undefined || /[\p{L}\p{N}]/u.test(after) ? undefined : lower + signs
}
