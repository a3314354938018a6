/**
 * How the language of the page writes lists, numbers and the order of names.
 *
 * The locale is that of the browser where it is a form of the page's language, such as `en-GB`. Otherwise it is the
 * language alone.
 */
import { language } from './t.js'

const isOfPage = (code: string): boolean => code === language || code.startsWith(`${language}-`)

/** The locale for `Intl`. */
export const locale: string = navigator.languages.find(isOfPage) ?? language

const order = new Intl.Collator(locale)

/** Compares two texts such as names, for sorting. */
export const compareTexts = (one: string, other: string): number => order.compare(one, other)

const plainNumber = new Intl.NumberFormat(locale, { useGrouping: false })

/** Writes a number that stands alone, such as that of unread messages, without marks between its digits. */
export const formatCount = (count: number): string => plainNumber.format(count)

const lists = {
  and: new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' }),
  or: new Intl.ListFormat(locale, { type: 'disjunction', style: 'narrow' }),
}

/** `Ada, Grace, Alan`: all of some names. */
export const listNames = (names: readonly string[]): string => lists.and.format(names)

/** Puts the words and the commas of a list between elements. @param kind whether all of them are meant, or one */
export const listElements = <Element>(
  elements: readonly Element[],
  kind: keyof typeof lists = 'and',
): (Element | string)[] => {
  let next = 0
  const parts = lists[kind].formatToParts(elements.map((_, index) => String(index)))
  return parts.map(({ type, value }) => (type === 'element' ? (elements[next++] as Element) : value))
}
