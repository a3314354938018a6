/** Messages of the Notification Bot: the functions that all jobs that send them share. */

import type { ChannelRow, UserRow } from '../../domain/log/rows.js'
import { Flag } from '../../domain/messages/flags.js'
import type { Destination } from '../../domain/messages/recipients.js'
import type { MessageData } from '../../domain/messages/sending/message-entry.js'
import { ApiError } from '../../domain/protocol/errors.js'
import { notificationBot } from '../../domain/realm/notification-bot.js'
import type { Realm } from '../../store/log/realm.js'
import { storeMessages } from '../../store/messages/sending/own-transaction-sends.js'
import type { Send } from '../../store/messages/sending/send-combiner.js'
import { composeSend } from '../../store/messages/sending/send-message.js'
import { type Effect, noEffect } from '../jobs/effects.js'
import type { JobContext } from '../jobs/job-handler.js'

/** A silent mention of the user, which sends no notification. */
export const mention = (user: UserRow): string => `@_**${user.full_name}|${user.id}**`

export const channelLink = (channel: ChannelRow): string => `#**${channel.name}**`

/**
 * A message from the Notification Bot, not stored yet; undefined when it cannot be sent. A refusal does not depend on
 * how often it is tried, and must not keep the others of the job waiting.
 */
export const composeNotice = async (
  { write, realm }: Pick<JobContext<never>, 'write' | 'realm'>,
  to: Destination,
  content: string,
): Promise<Send | undefined> => {
  const sender = notificationBot(realm.state)
  if (sender === undefined) throw new Error(`realm ${realm.id} has no notification bot`)
  try {
    return await composeSend(write, { sender, to, content, client: 'Internal' })
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The notices that can be sent. */
export const collectSends = async (notices: readonly (Promise<Send | undefined> | undefined)[]): Promise<Send[]> =>
  (await Promise.all(notices)).filter((send) => send !== undefined)

/** The channel message, marked as read for all users except those in `news`. */
export const markAsReadExceptFor = (send: Send, unreadFor: ReadonlySet<number>): Send => {
  const data = send.data as Pick<MessageData, 'flags' | 'everyone'>
  const listedUsers = new Set([...Object.keys(data.flags).map(Number), ...unreadFor])
  const others = send.flags.filter(({ user_id }) => !unreadFor.has(user_id))
  const rows = new Map(send.flags.map(({ user_id, flags }) => [user_id, flags]))
  return {
    ...send,
    message: { ...send.message, read_by_all: true },
    data: {
      ...send.data,
      everyone: data.everyone | Flag.read,
      flags: Object.fromEntries(
        [...listedUsers].map((id) => [id, (data.flags[id] ?? data.everyone) | (unreadFor.has(id) ? 0 : Flag.read)]),
      ),
    },
    flags: [
      ...others,
      ...[...unreadFor].map((user_id) => ({ user_id, flags: (rows.get(user_id) ?? 0) | Flag.unread })),
    ],
  }
}

/** The effect of a job that sends these messages. */
export const composeSendEffect = (realm: Realm, sends: readonly Send[]): Effect =>
  sends.length === 0 ? noEffect : { store: (tx) => storeMessages(tx, realm, sends) }
