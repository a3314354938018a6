/**
 * The table of Unicode emoji: names by code, and codes by name.
 *
 * 1. A code is the hexadecimal of the code points, joined by dashes, at least four digits each, without U+FE0F.
 * 2. Every code has at least one name, and its first name is canonical. Every name belongs to one code.
 * 3. If several sources give one name to different emoji, the names of chat-emoji-names.ts win over Unicode's, and
 *    Unicode's over gemoji's.
 *
 * Source: messages.md 6.3; clients fetch the table as `server_emoji_data_url`.
 */
import { gemoji } from 'gemoji'
import { chatEmojiNames } from './chat-emoji-names.js'

const codes = new Map<string, string>()
const names = new Map<string, string[]>()

const registerName = (code: string, name: string): void => {
  if (!/^[\w+-]+$/.test(name) || codes.has(name)) return
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

/** Returns Unicode's description as a name: "flag: Côte d’Ivoire" is flag_cote_divoire. */
const nameFromDescription = (description: string): string =>
  description
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f’'.,:“”!()]/g, '')
    .replace(/[\s-]+/g, '_')

for (const [code, row] of Object.entries(chatEmojiNames)) for (const name of row.split(' ')) registerName(code, name)
for (const {
  emoji,
  description,
  names: [short = ''],
} of gemoji) {
  const formal = nameFromDescription(description)
  if (formal.startsWith(`${short}_`)) registerName(emojiCode(emoji), short)
  registerName(emojiCode(emoji), formal)
}
for (const { emoji, names: short } of gemoji) for (const name of short) registerName(emojiCode(emoji), name)

/** Returns the code of a name: that of `smile` is `1f642`. */
export const findEmojiCode = (name: string): string | undefined => codes.get(name)

/** Returns all names of a code, the canonical one first; empty: there is no such emoji. */
export const emojiNames = (code: string): readonly string[] => names.get(code) ?? []

/** Returns the table that clients fetch: names by code. */
export const emojiCodeToNames = (): Record<string, string[]> => Object.fromEntries(names)
