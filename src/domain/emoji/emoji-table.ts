/**
 * Unicode emoji: code to names and back.
 *
 * 1. A code is the dash-joined hexadecimal of the code points, at least four digits each, without U+FE0F.
 * 2. Every code has at least one name, and its first is canonical; every name belongs to one code.
 * 3. Our own names come before Unicode's, Unicode's before gemoji's: who comes first has the name.
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

/** The code of an emoji as typed. */
export const emojiCode = (emoji: string): string => {
  const points: string[] = []
  for (const character of emoji) {
    if (character !== '\ufe0f') points.push((character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
  }
  return points.join('-')
}

/** Unicode's name as a short name: "flag: Côte d’Ivoire" is flag_cote_divoire. */
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

/** The code a name stands for: `smile` is `1f642`. */
export const findEmojiCode = (name: string): string | undefined => codes.get(name)

/** All names of a code, the canonical one first; empty when there is no such emoji. */
export const emojiNames = (code: string): readonly string[] => names.get(code) ?? []

/** The table that clients fetch: names by code. */
export const emojiCodeToNames = (): Record<string, string[]> => Object.fromEntries(names)
