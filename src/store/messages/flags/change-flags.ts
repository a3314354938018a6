/**
 * Changes a user's own flags of messages, in a model without a row per recipient (domain/messages/flags.ts).
 *
 * 1. Marking as read moves a pointer (read-pointers.ts) and deletes the rows that only said `read`. So a user who reads
 *    everything has one pointer per channel and conversation and no rows; skipped messages leave rows.
 * 2. Changes of one user run one after the other (message-locks.ts), and each reads the rows again under the lock: so
 *    an event lists only messages that changed.
 */

import type { NewEntry } from '../../../domain/log/entry.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import {
  buildUnreadDetails,
  computeRowAfter,
  type FlagChange,
  isChanged,
} from '../../../domain/messages/flag-changes.js'
import { type UpdateMessageFlagsData, updateMessageFlags } from '../../../domain/messages/flag-entries.js'
import { Flag, rowOnlyFlags } from '../../../domain/messages/flags.js'
import { canRead, mutedChannels } from '../../../domain/messages/reading.js'
import { errors } from '../../../domain/protocol/errors.js'
import { type ChangeWithResult, commit, mapResult } from '../../log/change.js'
import { loadNewestMessageId } from '../../log/log.js'
import type { Realm } from '../../log/realm.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Sql, Transaction } from '../../sql.js'
import { lockMessagesShared, lockUserFlags } from '../message-locks.js'
import { type FlagRow, loadFlagRows } from '../narrow/load-messages.js'
import { findLeftChannels, markLeftAsRead } from './left-channels.js'
import { movePointers } from './read-pointers.js'

/** Ids per event: bounds its size to some tens of kilobytes. */
const CHUNK = 5_000

export interface FlagChangeResult {
  /** ids of the messages that are not as before, ascending */
  changed: number[]
  /** channels whose messages cannot become unread, because the reader is not subscribed */
  ignored: number[]
}

/**
 * Changes the reader's flag of these messages. Throws BAD_REQUEST for a message that was not received and cannot be
 * read; marking such a one as read does nothing. Throws StaleStateError.
 */
export const changeFlags = async (
  context: WriteContext,
  reader: UserRow,
  ids: readonly number[],
  change: FlagChange,
): Promise<FlagChangeResult> => {
  const { realm } = context
  const { state } = realm
  const { op, flag } = change
  if (op === 'remove' && flag === 'read') await markLeftChannelsAsRead(context, reader)
  const rows = await loadFlagRows({ sql: context.sql, state, reader }, ids)
  if (op === 'remove' || flag !== 'read') await checkAccess(context.sql, state, reader, ids, rows)
  const isIgnored = ({ channel_id }: FlagRow) =>
    op === 'remove' && flag === 'read' && channel_id !== null && !state.isSubscribed(reader.id, channel_id)
  const ignored = new Set(rows.filter(isIgnored).map(({ channel_id }) => channel_id as number))
  const changeableIds = rows.filter((row) => !isIgnored(row) && isChanged(row, change)).map(({ id }) => id)
  const composeResult = (changed: readonly FlagRow[]) => ({
    changed: changed.map(({ id }) => id),
    ignored: [...ignored].sort((a, b) => a - b),
  })
  if (changeableIds.length === 0) return composeResult([])
  return commit(context, mapResult(prepareFlagChange(realm, reader, changeableIds, change), composeResult))
}

/** The job that marks messages of left channels as read may run late, and would undo the change of this request. */
const markLeftChannelsAsRead = async (context: WriteContext, { id }: UserRow): Promise<void> => {
  const { realm } = context
  for (const channel_id of await findLeftChannels(context.sql, realm.id, id)) {
    await commit(context.withAnswerKey(undefined), markLeftAsRead(realm.id, channel_id, [id]))
  }
}

/**
 * Throws BAD_REQUEST for a message that is neither readable nor recorded for the reader. A move out of the reader's
 * access leaves no record.
 */
const checkAccess = async (
  sql: Sql,
  state: RealmState,
  reader: UserRow,
  ids: readonly number[],
  rows: readonly FlagRow[],
): Promise<void> => {
  const hidden = rows.filter((row) => !canRead(state, reader, row))
  if (rows.length < new Set(ids).size || hidden.some(({ received }) => !received)) throw errors.invalidMessages()
  const rowless = hidden.filter(({ own }) => own === null).map(({ id }) => id)
  if (rowless.length === 0) return
  const [moved] = await sql`
    select from messages
    where realm_id = ${state.realm.id} and id = any(${rowless}::bigint[]) and origin_channel_id is not null
    limit 1`
  if (moved !== undefined) throw errors.invalidMessages()
}

/** Composes the change of messages that the reader may flag. Its result is the rows that it changed (2). */
export const prepareFlagChange =
  (realm: Realm, reader: UserRow, ids: readonly number[], change: FlagChange): ChangeWithResult<FlagRow[]> =>
  async (tx) => {
    await lockMessagesShared(tx, realm.id)
    await lockUserFlags(tx, realm.id, reader.id)
    // A transaction reads like the pool; it only cannot begin another one.
    const read = { sql: tx as unknown as Sql, state: realm.state, reader }
    const rows = (await loadFlagRows(read, ids)).filter((row) => isChanged(row, change))
    const isReading = change.flag === 'read' && change.op === 'add'
    const upTo = isReading ? await movePointers(tx, realm.id, reader.id, rows) : undefined
    const after = rows.map((row) => {
      const passed = row.passed || row.id <= (upTo?.(row) ?? 0)
      return { id: row.id, flags: computeRowAfter({ ...row, passed }, change) }
    })
    await writeFlags(tx, realm.id, reader.id, after)
    const mutes = isReading ? new Map<string, boolean>() : await loadTopicMutes(tx, realm.id, reader.id, rows)
    return { entries: buildAllFlagEntries(realm.state, reader, rows, change, mutes), result: rows }
  }

/**
 * Composes the entries that tell clients that messages are unread again. They are for clients without the
 * `archived_channels` capability. The caller holds the lock of the reader's flags.
 */
export const composeUnreadAgain = async (
  tx: Transaction,
  state: RealmState,
  reader: UserRow,
  ids: readonly number[],
): Promise<NewEntry[]> => {
  const rows = await loadFlagRows({ sql: tx as unknown as Sql, state, reader }, ids)
  const mutes = await loadTopicMutes(tx, state.realm.id, reader.id, rows)
  return buildFlagEntries(state, reader, rows, { op: 'remove', flag: 'read' }, mutes, { archived_channels: false })
}

/** The entries of the change. What becomes starred or unread in an archived channel, older clients do not count. */
const buildAllFlagEntries = (
  state: RealmState,
  reader: UserRow,
  rows: readonly FlagRow[],
  change: FlagChange,
  mutes: ReadonlyMap<string, boolean>,
): NewEntry[] => {
  const counts =
    (change.op === 'add' && change.flag === 'starred') || (change.op === 'remove' && change.flag === 'read')
  const isHidden = ({ channel_id }: FlagRow) => counts && state.channels.get(channel_id ?? 0)?.is_archived === true
  const build = (some: readonly FlagRow[], clients = {}) =>
    buildFlagEntries(state, reader, some, change, mutes, clients)
  const shown = rows.filter((row) => !isHidden(row))
  return [
    ...build(shown),
    ...(shown.length < rows.length ? build(rows.filter(isHidden), { archived_channels: true }) : []),
  ]
}

const buildFlagEntries = (
  state: RealmState,
  reader: UserRow,
  rows: readonly FlagRow[],
  change: FlagChange,
  mutes: ReadonlyMap<string, boolean>,
  clients: Pick<UpdateMessageFlagsData, 'archived_channels'>,
): NewEntry[] => {
  const entries: NewEntry[] = []
  const muted = new Set(mutedChannels(state, reader))
  const isAgain = change.op === 'remove' && change.flag === 'read'
  for (let i = 0; i < rows.length; i += CHUNK) {
    const some = rows.slice(i, i + CHUNK)
    const details = isAgain
      ? {
          message_details: buildUnreadDetails(
            reader.id,
            some,
            (row) => mutes.get(topicKey(row)) ?? muted.has(row.channel_id ?? 0),
          ),
        }
      : {}
    const messages = some.map(({ id }) => id)
    entries.push(updateMessageFlags({ user_id: reader.id, ...change, messages, all: false, ...clients, ...details }))
  }
  return entries
}

const topicKey = ({ channel_id, topic }: { channel_id: number | null; topic: string }) =>
  `${channel_id} ${topic.toLowerCase()}`

/**
 * Whether the topics of the messages are muted, where the reader says so of the topic itself. Index: user_topics_key.
 */
const loadTopicMutes = async (
  tx: Transaction,
  realm_id: number,
  user_id: number,
  rows: readonly FlagRow[],
): Promise<ReadonlyMap<string, boolean>> => {
  const channels = [...new Set(rows.flatMap(({ channel_id }) => channel_id ?? []))]
  const found = await tx<{ channel_id: number; topic: string; is_muted: boolean }[]>`
    select channel_id, topic, visibility_policy = 1 as is_muted from user_topics
    where realm_id = ${realm_id} and user_id = ${user_id} and channel_id = any(${channels}::int[])`
  return new Map(found.map((topicMute) => [topicKey(topicMute), topicMute.is_muted]))
}

/**
 * Marks all messages as read, in one step (protocol/messages.md 5.2). Throws StaleStateError.
 *
 * It deletes rows before it locks the head: there may be very many rows, and all sends of the realm wait for the head.
 */
export const markEverythingAsRead = (context: WriteContext, reader: UserRow): Promise<void> => {
  const { realm } = context
  const [realm_id, user_id] = [realm.id, reader.id]
  return commit(context, async (tx) => {
    await lockMessagesShared(tx, realm_id)
    await lockUserFlags(tx, realm_id, user_id)
    const seen = await loadNewestMessageId(tx, realm_id)
    await Promise.all(clearUnread(tx, realm_id, user_id, 0))
    return {
      entries: [updateMessageFlags({ user_id, op: 'add', flag: 'read', messages: [], all: true })],
      // After the head: what is sent later comes after the event, and stays unread.
      underHeadLock: ({ last_message_id }) => [
        tx`
        update channel_reads set read_up_to = ${last_message_id}
        where realm_id = ${realm_id} and user_id = ${user_id} and read_up_to < ${last_message_id}`,
        tx`
        update dm_members set read_up_to = ${last_message_id}
        where realm_id = ${realm_id} and user_id = ${user_id} and read_up_to < ${last_message_id}`,
        ...clearUnread(tx, realm_id, user_id, seen),
      ],
    }
  })
}

/**
 * Clears `unread` in the reader's rows, and then deletes the rows after this message that have no other flag.
 * Indexes: message_flags_apart, whose condition is spelled as there, and the key.
 */
const clearUnread = (tx: Transaction, realm_id: number, user_id: number, after: number): Promise<unknown>[] => [
  // A message from outside a subscription has no pointer that could pass it.
  tx`
    update message_flags
    set flags = flags & ~${Flag.unread}::int | case when flags & ${Flag.outside} <> 0 then ${Flag.read}::int else 0 end
    where realm_id = ${realm_id} and user_id = ${user_id} and flags & ${tx.unsafe(String(rowOnlyFlags))} <> 0
      and flags & ${Flag.unread | Flag.outside} <> 0`,
  tx`
    delete from message_flags
    where realm_id = ${realm_id} and user_id = ${user_id} and message_id > ${after} and flags in (0, ${Flag.read})`,
]

/** Writes flag rows; deletes those whose flags are null. */
const writeFlags = async (
  tx: Transaction,
  realm_id: number,
  user_id: number,
  rows: readonly { id: number; flags: number | null }[],
): Promise<void> => {
  const kept = rows.filter(({ flags }) => flags !== null)
  const idsWithoutFlags = rows.filter(({ flags }) => flags === null).map(({ id }) => id)
  await Promise.all([
    kept.length > 0 &&
      tx`
        insert into message_flags (realm_id, user_id, message_id, flags)
        select ${realm_id}, ${user_id}, id, flags
        from unnest(${kept.map(({ id }) => id)}::bigint[], ${kept.map(({ flags }) => flags)}::int[]) as r (id, flags)
        on conflict (realm_id, user_id, message_id) do update set flags = excluded.flags`,
    idsWithoutFlags.length > 0 &&
      tx`
        delete from message_flags
        where realm_id = ${realm_id} and user_id = ${user_id} and message_id = any(${idsWithoutFlags}::bigint[])`,
  ])
}
