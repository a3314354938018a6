/**
 * Words of the protocol that have two spellings: both are understood, and existing clients' one is written.
 *
 * Source: endpoints.md section 0. A client that meets a type of emoji it does not know fails on the whole event.
 */

/** The one emoji that comes with the service. */
export const extraEmojiType = 'zulip_extra_emoji'

const reactionTypes: Readonly<Record<string, string>> = { service_extra_emoji: extraEmojiType }

/** A type of emoji as it is stored and written. */
export const reactionTypeOf = (given: string): string => reactionTypes[given] ?? given
