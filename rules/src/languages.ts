/** The languages that the texts of the product are translated to, for the server and for the page. */

export interface Language {
  /** its name in the language itself, as speakers look for it in a list */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
}

/** By the code of BCP 47. Accounts, organizations and `Accept-Language` name them with it. */
export const languages: Readonly<Record<string, Language>> = {
  en: { name: 'English', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
  de: { name: 'Deutsch', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  fr: { name: 'Français', direction: 'ltr' },
  ja: { name: '日本語', direction: 'ltr' },
}

/** The language of the texts in the sources. It needs no catalogue. */
export const sourceLanguage = 'en'

/**
 * A language for tests and translators. It has the texts of the sources with accents on each letter: what is shown
 * without accents is in no catalogue. No list offers it.
 */
export const pseudoLanguage = 'en-XA'

/** Whether texts exist in a language. */
export const isLanguage = (code: string): boolean => Object.hasOwn(languages, code) || code === pseudoLanguage

/**
 * Finds the first language that exists. It is found by its full code, or by what stands before the region.
 * @param wanted codes of BCP 47, the preferred one first
 */
export const findLanguage = (wanted: readonly string[]): string | undefined => {
  for (const code of wanted) {
    if (isLanguage(code)) return code
    // Case has no meaning in these codes.
    if (code.toLowerCase() === pseudoLanguage.toLowerCase()) return pseudoLanguage
    const [language = ''] = code.toLowerCase().split('-')
    if (isLanguage(language)) return language
  }
  return undefined
}

/** Chooses the first language that exists. It is English, if none does. */
export const chooseLanguage = (wanted: readonly string[]): string => findLanguage(wanted) ?? sourceLanguage

/** The direction in which a language is written. */
export const directionOf = (code: string): 'ltr' | 'rtl' => languages[code]?.direction ?? 'ltr'
