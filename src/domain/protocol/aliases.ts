/**
 * What the protocol calls in two ways: both are understood, and existing clients' one is written where they read it.
 *
 * Source: endpoints.md section 0. A client that meets a type of emoji it does not know fails on the whole event.
 */
import { ApiError, errors } from './errors.js'

/** Programs written for other servers of this protocol, which know some things by the names that they have there. */
export const usesLegacyNames = (client: string): boolean => client.startsWith('Zulip')

const terminal = 'ZulipTerminal'

/**
 * What zulip-terminal wants to find in each subscription, or it ends when it is to show the channel: where mail for it
 * goes. Nowhere, on this server. Other clients ask for it (streams.ts), and some refuse a channel that has it.
 */
export const legacySubscriptionFields = (client: string): { email_address?: string } =>
  client === terminal ? { email_address: '' } : {}

/** A limit in seconds as the client calculates with it: zulip-terminal knows none as 0, and ends when it meets null. */
export const formatLimit = (client: string, seconds: number | null): number | null =>
  client === terminal ? (seconds ?? 0) : seconds

/** An event queue is gone. zulip-terminal registers anew if the sentence begins as it did before there were codes. */
export const badEventQueueId = (client: string, queue_id: string): ApiError => {
  const error = errors.badEventQueueId({ queue_id })
  if (client !== terminal) return error
  return new ApiError(error.status, error.code, `Bad event queue id: ${queue_id}`, { queue_id })
}

/** What `type` may be on a message that is sent; of two words for one thing, the older is written. */
export const messageTypes = ['stream', 'channel', 'private', 'direct'] as const

/** Whether the type is of messages to people. */
export const isDirectType = (type: string): boolean => type === 'private' || type === 'direct'

/** Whether the type is of messages to a channel. */
export const isChannelType = (type: string): boolean => type === 'stream' || type === 'channel'

/** What the parameter `topic` was called when mail was the model. */
export const topicAlias = 'subject'

/** Operators of narrows that have several names, by the others. */
const operators: Readonly<Record<string, string>> = {
  stream: 'channel',
  streams: 'channels',
  'pm-with': 'dm',
  pm_with: 'dm',
  group_pm_with: 'group-pm-with',
}

/** The name of an operator by which we know it. */
export const canonicalOperator = (given: string): string =>
  Object.hasOwn(operators, given) ? (operators[given] ?? given) : given

/** What the server speaks, under the name of the API document and under those without which clients do not start. */
export const versionFields = (level: number, version: string) => ({
  api_feature_level: level,
  zulip_feature_level: level,
  zulip_version: version,
  zulip_merge_base: version,
})

/** The organization's address, under both names. */
export const realmUrlFields = (realm_url: string) => ({ realm_url, realm_uri: realm_url })

/** What existing clients call each set of images for emoji. */
export const emojisetAlias = { set_a: 'google', set_b: 'google-blob', set_c: 'twitter', text: 'text' } as const

/** The set of either name. */
export const emojisetByAlias = {
  set_a: 'set_a',
  set_b: 'set_b',
  set_c: 'set_c',
  text: 'text',
  google: 'set_a',
  'google-blob': 'set_b',
  twitter: 'set_c',
} as const

/** The one emoji that comes with the service. */
export const extraEmojiType = 'zulip_extra_emoji'

const reactionTypes: Readonly<Record<string, string>> = { service_extra_emoji: extraEmojiType }

/** A type of emoji as it is stored and written. */
export const canonicalReactionType = (given: string): string => reactionTypes[given] ?? given

/** A URL template as it was written before RFC 6570, `…/%(id)s` for `…/{id}`; undefined if it says more than that. */
export const legacyUrlFormat = (template: string): string | undefined => {
  const format = template.replaceAll('%', '%%').replace(/\{(\w+)\}/g, '%($1)s')
  return /[{}]/.test(format) ? undefined : format
}
