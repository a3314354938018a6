/** Messages of the Notification Bot: the functions that all jobs that send them share. */

import pLimit from 'p-limit'
import { channelLink } from '#rules/links.js'
import type { ChannelRow } from '../../domain/log/rows.js'
import { Flag } from '../../domain/messages/flags.js'
import type { Destination } from '../../domain/messages/recipients.js'
import type { MessageData } from '../../domain/messages/sending/message-entry.js'
import { ApiError } from '../../domain/protocol/errors.js'
import { notificationBot } from '../../domain/realm/notification-bot.js'
import { type JobSpec, writeJobs } from '../../store/jobs/job-table.js'
import { entriesChange } from '../../store/log/change.js'
import type { Realm } from '../../store/log/realm.js'
import { storeMessages } from '../../store/messages/sending/own-transaction-sends.js'
import type { Send } from '../../store/messages/sending/send-combiner.js'
import { composeSend } from '../../store/messages/sending/send-message.js'
import { type Effect, noEffect } from '../jobs/effects.js'
import type { JobContext } from '../jobs/job-handler.js'

/** Writes links to channels. Of many channels, it links only the first ones, and counts the others. */
export const channelLinks = (channels: readonly ChannelRow[]): { links: string[]; others: number } => {
  const links: string[] = []
  let length = 0
  for (const channel of channels.slice(0, MAX_LINKS)) {
    const link = channelLink(channel)
    length += link.length + SEPARATOR_LENGTH
    if (length > MAX_LENGTH && links.length > 0) break
    links.push(link)
  }
  return { links, others: channels.length - links.length }
}

/** The most characters between two links. */
const SEPARATOR_LENGTH = 5

const MAX_LINKS = 100

/** The rest of the message has room for its other words. A link whose name needs an address can have 700 characters. */
const MAX_LENGTH = 9_000

/** A function that composes a message, and resolves with undefined when the message cannot be sent. */
export type Notice = () => Promise<Send | undefined>

/**
 * A message from the Notification Bot. If it is refused, it is not sent: a refusal does not depend on how often it is
 * tried, and must not keep the others of the job waiting. Throws an Error when the organization has no such bot.
 */
export const composeNotice =
  ({ write, realm }: Pick<JobContext<never>, 'write' | 'realm'>, to: Destination, content: string): Notice =>
  async () => {
    const sender = notificationBot(realm.state)
    if (sender === undefined) throw new Error(`realm ${realm.id} has no notification bot`)
    try {
      return await composeSend(write, { sender, to, content, client: 'Internal' })
    } catch (error) {
      if (error instanceof ApiError) return undefined
      throw error
    }
  }

/** Each message that is being composed may use a connection to Postgres, which other jobs need too. */
const COMPOSED_AT_ONCE = 4

/** The notices that can be sent. */
export const collectSends = async (notices: readonly (Notice | undefined)[]): Promise<Send[]> => {
  const limit = pLimit(COMPOSED_AT_ONCE)
  const composed = await Promise.all(notices.map((notice) => notice && limit(notice)))
  return composed.filter((send) => send !== undefined)
}

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

/** Composes the effect of a job that sends these messages. The job `rest`, if any, does what the job leaves to do. */
export const composeSendEffect = (realm: Realm, sends: readonly Send[], rest?: JobSpec): Effect => {
  if (sends.length === 0) return rest === undefined ? noEffect : { change: entriesChange([], [rest]) }
  return {
    store: async (tx) => {
      const { entries, jobs } = await storeMessages(tx, realm, sends)
      return { entries, jobs: rest === undefined ? jobs : [...jobs, ...(await writeJobs(tx, realm.id, [rest]))] }
    },
  }
}
