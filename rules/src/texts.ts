/**
 * Texts in the language of their reader.
 *
 * The English text in the source is the key of its translation: `t('Delete {name}', { name })`. Texts are messages of
 * ICU (https://unicode-org.github.io/icu/userguide/format_parse/messages/): values in braces, plurals as
 * `{count, plural, one {# message} other {# messages}}`. An apostrophe directly before a brace quotes it: write
 * “{name}”.
 *
 * 1. A text without a translation is shown in English. test/languages/catalogues.test.ts permits none.
 * 2. A text that is asked for without values is shown as it stands: braces and apostrophes mean nothing in it.
 * 3. Values are put in as they are. Numbers are written as the language writes them where the text says
 *    `{count, number}`, and at the `#` of a plural.
 */
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { IntlMessageFormat } from 'intl-messageformat'
import { pseudoLanguage } from './languages.js'

/** What stands for the names in braces; nothing, where it is absent. */
export type TextValues = Readonly<Record<string, string | number | null | undefined>>

/** Translations by the English text. */
export type Catalogue = Readonly<Record<string, string>>

/** Makes an element from the children between two tags. */
export type TagBuilder<Element> = (children: (string | Element)[]) => Element

export interface Texts {
  /** its code of BCP 47, for the functions of Intl */
  readonly language: string
  /** A text in this language. It must be a literal, so that the catalogues can have it. */
  (message: string, values?: TextValues): string
  /** A text with tags, such as `Read <link>the page</link>.`, in parts: strings, and what `tags` make of the tags. */
  rich<Element>(
    message: string,
    tags: Readonly<Record<string, TagBuilder<Element>>>,
    values?: Readonly<Record<string, string | number | Element>>,
  ): (string | Element)[]
}

/** Opens the texts of a language. `catalogue` is empty for English. */
export const openTexts = (language: string, catalogue: Catalogue): Texts => {
  const formats = new Map<string, IntlMessageFormat>()
  // An empty translation is one that a translator still has to write.
  const lookUp = (message: string): string => catalogue[message] || message
  const find = (message: string, hasTags: boolean): IntlMessageFormat => {
    const key = hasTags ? `<${message}` : message
    let format = formats.get(key)
    if (format === undefined) {
      const elements = parse(lookUp(message), { ignoreTag: !hasTags })
      if (language === pseudoLanguage) addAccents(elements)
      format = new IntlMessageFormat(elements, language)
      formats.set(key, format)
    }
    return format
  }
  const text = (message: string, values?: TextValues) => {
    if (values !== undefined) return String(find(message, false).format(values))
    const translated = lookUp(message)
    return language === pseudoLanguage ? accent(translated) : translated
  }
  const rich = <Element>(
    message: string,
    tags: Readonly<Record<string, TagBuilder<Element>>>,
    values: Readonly<Record<string, string | number | Element>> = {},
  ): (string | Element)[] => {
    const parts = find(message, true).format<Element>({ ...values, ...tags })
    return Array.isArray(parts) ? parts : [parts as string | Element]
  }
  return Object.assign(text, { rich, language })
}

const plain = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const accented = [...'ÅƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçđéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž']

const accent = (text: string): string =>
  text.replace(/[A-Za-z]/g, (letter) => accented[plain.indexOf(letter)] ?? letter)

const addAccents = (elements: MessageFormatElement[]): void => {
  for (const element of elements) {
    if (element.type === TYPE.literal) {
      element.value = accent(element.value)
    } else if (element.type === TYPE.plural || element.type === TYPE.select) {
      for (const { value } of Object.values(element.options)) addAccents(value)
    } else if (element.type === TYPE.tag) addAccents(element.children)
  }
}
