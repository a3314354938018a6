/**
 * What the protocol calls in two ways: both are understood, and existing clients' one is written where they read it.
 *
 * Source: endpoints.md section 0. A client that meets a type of emoji it does not know fails on the whole event.
 */
import { ApiError, errors } from './errors.js'

/** Programs written for other servers of this protocol, which know some things by the names that they have there. */
export const hasOlderNames = (client: string): boolean => client.startsWith('Zulip')

const terminal = 'ZulipTerminal'

/**
 * What zulip-terminal wants to find in each subscription, or it ends when it is to show the channel: where mail for it
 * goes. Nowhere, on this server. Other clients ask for it (streams.ts), and some refuse a channel that has it.
 */
export const olderSubscriptionFields = (client: string): { email_address?: string } =>
  client === terminal ? { email_address: '' } : {}

/** A limit in seconds as the client calculates with it: zulip-terminal knows none as 0, and ends when it meets null. */
export const limitFor = (client: string, seconds: number | null): number | null =>
  client === terminal ? (seconds ?? 0) : seconds

/** An event queue is gone. zulip-terminal registers anew if the sentence begins as it did before there were codes. */
export const badEventQueueId = (client: string, queue_id: string): ApiError => {
  const error = errors.badEventQueueId({ queue_id })
  if (client !== terminal) return error
  return new ApiError(error.status, error.code, `Bad event queue id: ${queue_id}`, { queue_id })
}

/** The one emoji that comes with the service. */
export const extraEmojiType = 'zulip_extra_emoji'

const reactionTypes: Readonly<Record<string, string>> = { service_extra_emoji: extraEmojiType }

/** A type of emoji as it is stored and written. */
export const reactionTypeOf = (given: string): string => reactionTypes[given] ?? given

/** A URL template as it was written before RFC 6570, `…/%(id)s` for `…/{id}`; undefined if it says more than that. */
export const olderUrlFormat = (template: string): string | undefined => {
  const format = template.replaceAll('%', '%%').replace(/\{(\w+)\}/g, '%($1)s')
  return /[{}]/.test(format) ? undefined : format
}
