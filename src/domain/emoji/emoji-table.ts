/**
 * The table of Unicode emoji: names by code, and codes by name.
 *
 * 1. A code is the hexadecimal of the code points, joined by dashes, at least four digits each, without U+FE0F.
 * 2. Every code has at least one name, and its first name is canonical. Every name belongs to one code.
 * 3. If several sources give one name to different emoji, the names of chat-emoji-names.ts win over Unicode's, and
 *    Unicode's over gemoji's.
 *
 * Source: protocol/messages.md 6.3; clients fetch the table as `server_emoji_data_url`.
 */
import { gemoji } from 'gemoji'
import { chatEmojiNames, olderEmojiCodes } from './chat-emoji-names.js'

/** Letters may have accents: `flag_åland_islands`. */
const emojiName = /^[\p{L}\p{M}\p{N}_+-]+$/u

const codes = new Map<string, string>()
const names = new Map<string, string[]>()

const registerName = (code: string, name: string): void => {
  if (!emojiName.test(name) || codes.has(name)) return
  codes.set(name, code)
  const known = names.get(code)
  if (known === undefined) names.set(code, [name])
  else known.push(name)
}

/** Returns the code of a typed emoji, whether or not the table has it. */
export const emojiCode = (emoji: string): string => {
  const points: string[] = []
  for (const character of emoji) {
    if (character !== '\ufe0f') points.push((character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
  }
  return points.join('-')
}

/** Returns Unicode's description as a name: "flag: Côte d’Ivoire" is flag_côte_divoire. */
const nameFromDescription = (description: string): string =>
  description
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[’'.,:“”!()]/g, '')
    .replace(/[\s–-]+/g, '_')

const removeAccents = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '')

for (const [code, row] of Object.entries(chatEmojiNames)) for (const name of row.split(' ')) registerName(code, name)
for (const { emoji, description } of gemoji) {
  const name = nameFromDescription(description)
  registerName(emojiCode(emoji), name)
  registerName(emojiCode(emoji), removeAccents(name))
}
for (const { emoji, names: short } of gemoji) for (const name of short) registerName(emojiCode(emoji), name)

/** Returns the code of a name: that of `smile` is `1f642`. */
export const findEmojiCode = (name: string): string | undefined => codes.get(name)

/** Whether a client may send this name with this code. */
export const isEmojiName = (name: string, code: string): boolean =>
  codes.get(name) === code || (Object.hasOwn(olderEmojiCodes, name) && olderEmojiCodes[name] === code)

/** Returns all names of a code, the canonical one first. Returns an empty list if there is no such emoji. */
export const emojiNames = (code: string): readonly string[] => names.get(code) ?? []

/** Returns the table that clients fetch: names by code. */
export const emojiCodeToNames = (): Record<string, string[]> => Object.fromEntries(names)
