/** Lists of names in the language of the reader: `Ada, Grace, Linus`. */

import type { ComponentChild } from 'preact'
import { language } from './t.js'

const format = new Intl.ListFormat(language, { style: 'narrow' })

/** The names as one text. */
export const listNames = (names: readonly string[]): string => format.format(names)

/** The elements with what stands between them. */
export const listElements = <Element extends ComponentChild>(elements: readonly Element[]): (string | Element)[] => {
  const places = elements.map((_, index) => String(index))
  return format
    .formatToParts(places)
    .map(({ type, value }) => (type === 'element' ? (elements[Number(value)] as Element) : value))
}
