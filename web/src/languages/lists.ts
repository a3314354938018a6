/** Lists as the language of the page writes them: `Ada, Grace, Linus`. */
import { locale } from './locale.js'

const formats = {
  and: new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' }),
  or: new Intl.ListFormat(locale, { type: 'disjunction', style: 'narrow' }),
}

/** The names as one text. */
export const listNames = (names: readonly string[]): string => formats.and.format(names)

/** The elements with what stands between them. @param kind whether all of them are meant, or one */
export const listElements = <Element>(
  elements: readonly Element[],
  kind: keyof typeof formats = 'and',
): (string | Element)[] =>
  formats[kind]
    .formatToParts(elements.map((_, index) => String(index)))
    .map(({ type, value }) => (type === 'element' ? (elements[Number(value)] as Element) : value))
