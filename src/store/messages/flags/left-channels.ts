/**
 * Channels that users left with unread messages.
 *
 * 1. Leaving closes the span of membership and stores in it how far the user had read (`read_up_to`). A span with that
 *    value still has messages to mark as read; a later subscription keeps it, because it opens another span.
 * 2. Marking clears the value, in the transaction that writes the events.
 * 3. Marking runs at the latest before a message is moved out of the channel, since the new channel has no such span;
 *    before one is deleted, since a user without access to the channel is not told of the deletion, and their client
 *    would keep it as unread; and before the user, subscribed again, marks a message there as unread, since the span
 *    would contradict it.
 */

import type { NewEntry } from '../../../domain/log/entry.js'
import { type UpdateMessageFlagsData, updateMessageFlags } from '../../../domain/messages/flag-entries.js'
import { Flag } from '../../../domain/messages/flags.js'
import type { Change } from '../../log/change.js'
import type { Db, Transaction } from '../../sql.js'
import { lockMessagesShared } from '../message-locks.js'
import { isReadAtOrigin, wasReadWhenSent } from '../narrow/conditions.js'
import { keepUnreadInOtherChannels } from './keep-unread.js'

/** Messages that the same users had unread, ids ascending. */
export interface UnreadByUsers {
  user_ids: number[]
  message_ids: number[]
}

/**
 * The messages that these users had not read when they left the channel (domain/messages/flags.ts, rule 1).
 * Indexes: membership_spans and message_flags by their keys, messages_channel.
 */
const loadLeftUnread = (
  db: Db,
  realm_id: number,
  channel_id: number,
  user_ids: readonly number[],
): Promise<UnreadByUsers[]> => {
  const leaver = { realm_id, user_id: db`s.user_id` }
  return db<UnreadByUsers[]>`
  with spans as (
    select user_id, from_message, to_message, read_up_to from membership_spans
    where realm_id = ${realm_id} and channel_id = ${channel_id} and user_id = any(${user_ids as number[]})
      and read_up_to is not null
  ), unread as (
    select s.user_id, m.id
    from spans s
      join messages m on m.realm_id = ${realm_id} and m.channel_id = ${channel_id}
        and m.id >= s.from_message and m.id > s.read_up_to and m.id < s.to_message
      left join message_flags f on f.realm_id = ${realm_id} and f.user_id = s.user_id and f.message_id = m.id
    where coalesce(f.flags, 0) & ${Flag.read} = 0 and not ${wasReadWhenSent(db, db`s.user_id`)}
      and (m.origin_channel_id is null or not ${isReadAtOrigin(db, leaver)})
    union
    select s.user_id, m.id
    from spans s
      join message_flags f on f.realm_id = ${realm_id} and f.user_id = s.user_id
        and f.message_id < s.to_message and f.flags & ${Flag.unread} <> 0
      join messages m on m.realm_id = ${realm_id} and m.id = f.message_id and m.channel_id = ${channel_id}
        and (m.id >= s.from_message or m.origin_channel_id is not null)
  ), lists as (
    select user_id, array_agg(id order by id) as message_ids from unread group by user_id
  )
  select array_agg(user_id order by user_id) as user_ids, message_ids from lists group by message_ids`
}

/** Users who left the channel and whose messages are not marked yet (1). Index: membership_spans_left. */
const findLeavers = async (db: Db, realm_id: number, channel_id: number): Promise<number[]> => {
  const rows = await db<{ user_id: number }[]>`
    select distinct user_id from membership_spans
    where realm_id = ${realm_id} and channel_id = ${channel_id} and to_message is not null and read_up_to is not null`
  return rows.map(({ user_id }) => user_id)
}

/** Channels that this user left and whose messages are not marked yet (1). Index: the key of membership_spans. */
export const findLeftChannels = async (db: Db, realm_id: number, user_id: number): Promise<number[]> => {
  const rows = await db<{ channel_id: number }[]>`
    select distinct channel_id from membership_spans
    where realm_id = ${realm_id} and user_id = ${user_id} and to_message is not null and read_up_to is not null`
  return rows.map(({ channel_id }) => channel_id)
}

/**
 * Marks the left messages of all users who left the channel (3). The caller holds the exclusive lock of the messages.
 * @returns what became read
 */
export const markAllLeftAsRead = async (
  tx: Transaction,
  realm_id: number,
  channel_id: number,
): Promise<UnreadByUsers[]> => {
  const leavers = await findLeavers(tx, realm_id, channel_id)
  if (leavers.length === 0) return []
  const left = await loadLeftUnread(tx, realm_id, channel_id, leavers)
  await Promise.all(writeLeftAsRead(tx, realm_id, channel_id, leavers, left))
  return left
}

/**
 * The change that marks the left messages as read, with its events (2).
 *
 * Users who had the same messages unread share an entry: when many users leave an announcement channel, that is most.
 */
export const markLeftAsRead =
  (realm_id: number, channel_id: number, user_ids: readonly number[]): Change =>
  async (tx) => {
    await lockMessagesShared(tx, realm_id)
    // A user who left twice has two jobs. The later one waits here, and then finds nothing.
    await tx`
      select from membership_spans
      where realm_id = ${realm_id} and channel_id = ${channel_id} and user_id = any(${user_ids as number[]})
        and read_up_to is not null
      order by user_id, from_message for update`
    const unread = await loadLeftUnread(tx, realm_id, channel_id, user_ids)
    await Promise.all(writeLeftAsRead(tx, realm_id, channel_id, user_ids, unread))
    return { entries: unread.flatMap((some) => buildReadEntries(some)) }
  }

/** Ids per event: bounds its size to some tens of kilobytes. */
const CHUNK = 5_000

/**
 * The entries for these users, with bounded numbers of ids.
 * @param clients which clients get them
 */
export const buildReadEntries = (
  { user_ids, message_ids }: UnreadByUsers,
  clients: Pick<UpdateMessageFlagsData, 'archived_channels'> = {},
): NewEntry[] => {
  const entries: NewEntry[] = []
  for (let i = 0; i < message_ids.length; i += CHUNK) {
    const messages = message_ids.slice(i, i + CHUNK)
    const [user_id = 0] = user_ids
    const entry = updateMessageFlags({ user_id, op: 'add', flag: 'read', messages, all: false, ...clients })
    entries.push({ ...entry, audience: { users: user_ids } })
  }
  return entries
}

/** The statements that mark it read (2). */
const writeLeftAsRead = (
  tx: Transaction,
  realm_id: number,
  channel_id: number,
  user_ids: readonly number[],
  unread: readonly UnreadByUsers[],
): Promise<unknown>[] => [
  keepUnreadInOtherChannels(
    tx,
    realm_id,
    tx`
      select s.user_id, s.channel_id, r.read_up_to as before, s.to_message - 1 as after
      from membership_spans s join channel_reads r using (realm_id, user_id, channel_id)
      where s.realm_id = ${realm_id} and s.channel_id = ${channel_id} and s.user_id = any(${user_ids as number[]})
        and s.read_up_to is not null`,
  ),
  tx`
    update channel_reads r set read_up_to = s.to_message - 1
    from membership_spans s
    where s.realm_id = ${realm_id} and s.channel_id = ${channel_id} and s.user_id = any(${user_ids as number[]})
      and s.read_up_to is not null and r.realm_id = s.realm_id and r.user_id = s.user_id
      and r.channel_id = s.channel_id and r.read_up_to < s.to_message - 1`,
  ...unread.map(
    (left) => tx`
      update message_flags set flags = flags & ${~Flag.unread}
      where realm_id = ${realm_id} and user_id = any(${left.user_ids}) and message_id = any(${left.message_ids})
        and flags & ${Flag.unread} <> 0`,
  ),
  tx`
    update membership_spans set read_up_to = null
    where realm_id = ${realm_id} and channel_id = ${channel_id} and user_id = any(${user_ids as number[]})
      and to_message is not null and read_up_to is not null`,
]
