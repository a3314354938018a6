/**
 * What the protocol calls in two ways: both are understood, and existing clients' one is written where they read it.
 *
 * Source: endpoints.md section 0. A client that meets a type of emoji it does not know fails on the whole event.
 */

/** Programs written for other servers of this protocol, which know some things by the names that they have there. */
export const hasOlderNames = (client: string): boolean => client.startsWith('Zulip')

/** The one emoji that comes with the service. */
export const extraEmojiType = 'zulip_extra_emoji'

const reactionTypes: Readonly<Record<string, string>> = { service_extra_emoji: extraEmojiType }

/** A type of emoji as it is stored and written. */
export const reactionTypeOf = (given: string): string => reactionTypes[given] ?? given
