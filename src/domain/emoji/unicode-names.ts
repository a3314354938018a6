/** The codes of emoji, and the names that Unicode (CLDR) and gemoji give them. */
import { gemoji } from 'gemoji'

/** Returns the code of a typed emoji, whether or not it is a known one. */
export const emojiCode = (emoji: string): string => {
  const points: string[] = []
  for (const character of emoji) {
    if (character !== '\ufe0f') points.push((character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
  }
  return points.join('-')
}

/** Lists the codes of each category of Unicode, both in its order. */
export const listEmojiCategories = (): Record<string, string[]> => {
  const categories: Record<string, string[]> = {}
  for (const { emoji, category } of gemoji) {
    categories[category] ??= []
    categories[category].push(emojiCode(emoji))
  }
  return categories
}

/** Returns Unicode's description as a name: "flag: Côte d’Ivoire" is flag_côte_divoire. */
const nameFromDescription = (description: string): string =>
  description
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[’'.,:“”!()]/g, '')
    .replace(/[\s–-]+/g, '_')

const removeAccents = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '')

/** What `:name:` can name. Letters may have accents: `flag_åland_islands`. */
const emojiName = /^[\p{L}\p{M}\p{N}_+-]+$/u

/** Calls `register` for each name. First come Unicode's, with and without accents, then gemoji's. */
export const registerUnicodeNames = (register: (code: string, name: string) => void): void => {
  const registerValid = (emoji: string, name: string) => {
    if (emojiName.test(name)) register(emojiCode(emoji), name)
  }
  for (const { emoji, description } of gemoji) {
    const name = nameFromDescription(description)
    registerValid(emoji, name)
    registerValid(emoji, removeAccents(name))
  }
  for (const { emoji, names } of gemoji) for (const name of names) registerValid(emoji, name)
}
