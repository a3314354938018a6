/**
 * The texts of the server in the language of their reader: mails, notices, the pages of accounts, and the `msg` of
 * errors. Codes, names of fields, logs and the command line are English.
 */
import { chooseLanguage, pseudoLanguage, sourceLanguage } from '#rules/languages.js'
import { type Catalogue, openTexts, type Texts, type TextValues } from '#rules/texts.js'
import ar from './catalogues/ar.json' with { type: 'json' }
import de from './catalogues/de.json' with { type: 'json' }
import es from './catalogues/es.json' with { type: 'json' }
import fr from './catalogues/fr.json' with { type: 'json' }
import ja from './catalogues/ja.json' with { type: 'json' }

const catalogues: Readonly<Record<string, Catalogue>> = {
  ar,
  de,
  es,
  fr,
  ja,
  [sourceLanguage]: {},
  [pseudoLanguage]: {},
}

const opened = new Map<string, Texts>()

/** The texts in a language; in English, where the language does not exist. @param code of BCP 47 */
export const textsIn = (code: string): Texts => {
  const language = chooseLanguage([code])
  const cached = opened.get(language)
  if (cached !== undefined) return cached
  const texts = openTexts(language, catalogues[language] ?? {})
  opened.set(language, texts)
  return texts
}

/** Marks a text of a table, which `textsIn` translates when its reader is known. Returns it unchanged. */
export const msg = (message: string): string => message

/** A sentence that is translated when its reader is known. A value can be such a sentence too. */
export interface Sentence {
  readonly text: string
  readonly values?: SentenceValues | undefined
}

export type SentenceValues = Readonly<Record<string, TextValues[string] | Sentence>>

/** Makes a sentence that is translated later. */
export const sentence = (text: string, values?: SentenceValues): Sentence => ({ text, values })

/** Returns the sentence in English, for logs and operators. */
export const toEnglish = (said: Sentence): string => translate(textsIn(sourceLanguage), said)

/** Translates a sentence. */
export const translate = (t: Texts, { text, values }: Sentence): string =>
  values === undefined ? t(text) : t(text, mapValues(t, values))

const mapValues = (t: Texts, values: SentenceValues): TextValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? translate(t, value) : value,
    ]),
  )
