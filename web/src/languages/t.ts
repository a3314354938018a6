/// <reference types="vite/client" />
/**
 * The texts of the page in the language of its reader.
 *
 * 1. The language is known before any other module of the page runs, and stays until the page is loaded again: tables
 *    of texts can be constants.
 * 2. It is the language of the account that used this browser last, otherwise the first of the browser's languages that
 *    exists. `followLanguage` loads the page again when the account has another one.
 */
import { chooseLanguage, directionOf, pseudoLanguage, sourceLanguage } from '#rules/languages.js'
import { type Catalogue, openTexts } from '#rules/texts.js'

const STORAGE_KEY = 'language'

const readStored = (): string[] => {
  try {
    return [localStorage.getItem(STORAGE_KEY) ?? []].flat()
  } catch {
    // Browsers that keep nothing, and tests without a browser, have no storage.
    return []
  }
}

/** Stores the language for the next load. Returns false where nothing can be stored. */
const store = (code: string): boolean => {
  try {
    localStorage.setItem(STORAGE_KEY, code)
    return localStorage.getItem(STORAGE_KEY) === code
  } catch {
    return false
  }
}

const catalogues = import.meta.glob<Catalogue>('./catalogues/*.json', { import: 'default' })

const load = async (code: string): Promise<Catalogue> => {
  if (code === sourceLanguage || code === pseudoLanguage) return {}
  try {
    return (await catalogues[`./catalogues/${code}.json`]?.()) ?? {}
  } catch {
    // Without a connection, a page in English is better than none.
    return {}
  }
}

/** The code of the language that the page is shown in. */
export const language = chooseLanguage([...readStored(), ...navigator.languages])

/** A text of the page in the language of its reader (rules/src/texts.ts). */
export const t = openTexts(language, await load(language))

/** Declares the language and the direction of the document, for screen readers too. */
export const applyLanguage = (): void => {
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}

/** Loads the page again if its reader has chosen another language. */
export const followLanguage = (chosen: string): void => {
  const wanted = chooseLanguage([chosen])
  if (wanted !== language && store(wanted)) location.reload()
}
