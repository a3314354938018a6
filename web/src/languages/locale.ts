/**
 * How the language of the page writes numbers, and the order of names in it.
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

/** Writes a number that stands alone, without marks between its digits. */
export const formatCount = (count: number): string => plainNumber.format(count)
