/**
 * The emoji of a reaction or a status: a name, a code, and the type that says how to read the code.
 *
 * 1. Names are looked up among custom emoji first, then the extra one, then Unicode's.
 * 2. Name, code and type must match one another, so that every client shows the same image.
 *
 * Source: protocol/endpoints.md 1.15.
 */

import { emojiNames, findEmojiCode, isEmojiName } from '../emoji/emoji-table.js'
import type { RealmState } from '../log/state.js'
import { extraEmojiType, storedReactionType } from '../protocol/aliases.js'
import { errors } from '../protocol/errors.js'
import { findCustomEmoji } from '../realm/custom-emoji.js'

export interface Emoji {
  emoji_name: string
  emoji_code: string
  /** as it is stored: some clients read the type of the extra emoji under another name (protocol/aliases.ts) */
  reaction_type: string
}

/** The parameters of a request that name an emoji. */
export interface EmojiParameters {
  emoji_name: string
  emoji_code?: string | undefined
  reaction_type?: string | undefined
}

/** Name and code of the one extra emoji. */
const extraEmoji = 'zulip'

/** The emoji of this name (1). Throws BAD_REQUEST for an unknown name. */
export const findEmoji = (state: RealmState, name: string): Emoji => {
  const custom = findCustomEmoji(state, name)
  if (custom !== undefined) return { emoji_name: name, emoji_code: String(custom.id), reaction_type: 'realm_emoji' }
  if (name === extraEmoji) return { emoji_name: name, emoji_code: extraEmoji, reaction_type: extraEmojiType }
  const code = findEmojiCode(name)
  if (code === undefined) throw errors.unknownEmoji({ name })
  return { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' }
}

/**
 * The emoji of a request: a missing code or type follows from the name. `checkEmoji` checks that they match. Throws
 * BAD_REQUEST for an unknown name.
 */
export const resolveEmoji = (state: RealmState, { emoji_name, emoji_code, reaction_type }: EmojiParameters): Emoji => {
  const type = reaction_type === undefined ? undefined : storedReactionType(reaction_type)
  if (emoji_code !== undefined && type !== undefined) return { emoji_name, emoji_code, reaction_type: type }
  const named = findEmoji(state, emoji_name)
  return { emoji_name, emoji_code: emoji_code ?? named.emoji_code, reaction_type: type ?? named.reaction_type }
}

/** Throws BAD_REQUEST when name, code and type do not match (2). */
export const checkEmoji = (state: RealmState, { emoji_name, emoji_code, reaction_type }: Emoji): void => {
  if (reaction_type === 'unicode_emoji') {
    checkPair(emojiNames(emoji_code).length > 0, isEmojiName(emoji_name, emoji_code))
  } else if (reaction_type === extraEmojiType) {
    checkPair(emoji_code === extraEmoji, emoji_name === extraEmoji)
  } else if (reaction_type === 'realm_emoji') {
    const custom = /^\d{1,9}$/.test(emoji_code) ? state.emoji.get(Number(emoji_code)) : undefined
    if (custom === undefined) throw errors.badRequest('There is no custom emoji with this code.')
    if (custom.name !== emoji_name) throw errors.badRequest('emoji_name is not the name of this custom emoji.')
    if (custom.deactivated) throw errors.badRequest('This custom emoji is deactivated.')
  } else {
    throw errors.badRequest('reaction_type must be unicode_emoji, realm_emoji or service_extra_emoji.')
  }
}

const checkPair = (isCode: boolean, isItsName: boolean): void => {
  if (!isCode) throw errors.badRequest('There is no emoji with this code.')
  if (!isItsName) throw errors.badRequest('emoji_name is not a name of this emoji.')
}
