/** The stems of words, by Snowball's algorithms. */
import { stemmer as ar } from '@orama/stemmers/arabic'
import { stemmer as hy } from '@orama/stemmers/armenian'
import { stemmer as da } from '@orama/stemmers/danish'
import { stemmer as nl } from '@orama/stemmers/dutch'
import { stemmer as en } from '@orama/stemmers/english'
import { stemmer as fi } from '@orama/stemmers/finnish'
import { stemmer as fr } from '@orama/stemmers/french'
import { stemmer as de } from '@orama/stemmers/german'
import { stemmer as el } from '@orama/stemmers/greek'
import { stemmer as hu } from '@orama/stemmers/hungarian'
import { stemmer as hi } from '@orama/stemmers/indian'
import { stemmer as id } from '@orama/stemmers/indonesian'
import { stemmer as ga } from '@orama/stemmers/irish'
import { stemmer as it } from '@orama/stemmers/italian'
import { stemmer as lt } from '@orama/stemmers/lithuanian'
import { stemmer as ne } from '@orama/stemmers/nepali'
import { stemmer as no } from '@orama/stemmers/norwegian'
import { stemmer as pt } from '@orama/stemmers/portuguese'
import { stemmer as ro } from '@orama/stemmers/romanian'
import { stemmer as ru } from '@orama/stemmers/russian'
import { stemmer as sr } from '@orama/stemmers/serbian'
import { stemmer as es } from '@orama/stemmers/spanish'
import { stemmer as sv } from '@orama/stemmers/swedish'
import { stemmer as ta } from '@orama/stemmers/tamil'
import { stemmer as tr } from '@orama/stemmers/turkish'
import type { Language } from './languages.js'

const stemmers: Readonly<Record<Language, (word: string) => string>> = {
  ar,
  da,
  de,
  el,
  en,
  es,
  fi,
  fr,
  ga,
  hi,
  hu,
  hy,
  id,
  it,
  lt,
  ne,
  nl,
  no,
  pt,
  ro,
  ru,
  sr,
  sv,
  ta,
  tr,
}

/** Words whose stem by the algorithm is another word. */
const exceptions: ReadonlyMap<string, string> = new Map([['en:news', 'news']])

/** Longer words are no words of a language. */
const MAX_LETTERS = 40

/** Stems that were computed before, as computing one takes some microseconds. */
const known = new Map<string, string>()
const MAX_KNOWN = 50_000

/** Returns the stem of a word. @param word in lower case, in NFC, with its accents */
export const stemWord = (language: Language, word: string): string => {
  if (word.length > MAX_LETTERS) return word
  const key = `${language}:${word}`
  const before = exceptions.get(key) ?? known.get(key)
  if (before !== undefined) return before
  if (known.size >= MAX_KNOWN) known.clear()
  const stem = stemmers[language](word) || word
  known.set(key, stem)
  return stem
}

/** Forgets the stems that were computed, for tests. */
export const forgetStems = (): void => known.clear()
