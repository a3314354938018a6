/**
 * The table of Unicode emoji: names by code, and codes by name.
 *
 * 1. A code is the hexadecimal of the code points, joined by dashes, at least four digits each, without U+FE0F.
 * 2. Every code has at least one name, and its first name is canonical. Every name belongs to one code.
 * 3. If several sources give one name to different emoji, the names of domain/data/emoji-names.json win over Unicode's,
 *    and Unicode's over gemoji's.
 *
 * Source: protocol/messages.md 6.3; clients fetch the table as `server_emoji_data_url`.
 */
import chatEmoji from '../data/emoji-names.json' with { type: 'json' }
import { registerUnicodeNames } from './unicode-names.js'

/** Names that chat clients send, by code: the canonical one first. Each name is in one row only. */
export const chatEmojiNames: Readonly<Record<string, string>> = chatEmoji.names

/**
 * Names that older clients send with a code whose emoji has another name today. Such a reaction or status keeps the
 * client's name. The name alone means the emoji of the table.
 */
export const olderEmojiCodes: Readonly<Record<string, string>> = chatEmoji.older_codes

const codes = new Map<string, string>()
const names = new Map<string, string[]>()

const registerName = (code: string, name: string): void => {
  if (codes.has(name)) return
  codes.set(name, code)
  const cached = names.get(code)
  if (cached === undefined) names.set(code, [name])
  else cached.push(name)
}

for (const [code, row] of Object.entries(chatEmojiNames)) for (const name of row.split(' ')) registerName(code, name)
registerUnicodeNames(registerName)

/** Returns the code of a name: that of `smile` is `1f642`. */
export const findEmojiCode = (name: string): string | undefined => codes.get(name)

/** Whether a client may send this name with this code. */
export const isEmojiName = (name: string, code: string): boolean =>
  codes.get(name) === code || (Object.hasOwn(olderEmojiCodes, name) && olderEmojiCodes[name] === code)

/** Returns all names of a code, the canonical one first. Returns an empty list if there is no such emoji. */
export const emojiNames = (code: string): readonly string[] => names.get(code) ?? []

/** Returns the table that clients fetch: names by code. */
export const emojiCodeToNames = (): Record<string, string[]> => Object.fromEntries(names)
