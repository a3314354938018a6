/**
 * Deletes messages and the rows that belong to them.
 *
 * 1. No flag or reaction is added to a message during its deletion (message-locks.ts): so none outlives it.
 * 2. The new first message of a channel is selected while the transaction holds the log's head: so the query sees every
 *    message that was sent meanwhile.
 * 3. A deleted message is kept for some time, and can be restored (deleted-messages.ts).
 */

import { randomUUID } from 'node:crypto'
import { firstMessageEntry } from '../../../domain/channels/first-messages.js'
import type { Audience, NewEntry } from '../../../domain/log/entry.js'
import type { ChannelRow, UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { composeChangedMessages } from '../../../domain/messages/editing/changed-messages-entry.js'
import { composeDeletionEntries } from '../../../domain/messages/editing/delete-message-entry.js'
import { errors } from '../../../domain/protocol/errors.js'
import { storeDeletion } from '../../audit/record-acts.js'
import { type ChangeWithResult, commit } from '../../log/change.js'
import { lockHeadRow } from '../../log/log.js'
import type { Realm } from '../../log/realm.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Db, Transaction } from '../../sql.js'
import { loadConversationEntries } from '../../users/guest-visibility.js'
import { messageAudience, splitByHeldMessages } from '../audience/message-audience.js'
import { buildAudience, resolveAudience } from '../audience/recipients-by-flags.js'
import { buildReadEntries, markAllLeftAsRead } from '../flags/left-channels.js'
import { lockMessagesExclusive } from '../message-locks.js'
import type { ReaderRow } from '../narrow/load-messages.js'
import { removeClaims } from '../sending/file-claims.js'
import { composeBelongings, type Deletion } from './deleted-messages.js'

/** Messages of one topic, or a direct one. */
interface MessagesToDelete {
  channel_id: number | null
  dm_id?: number | null
  user_ids: readonly number[] | null
  message_ids: readonly number[]
}

/** The result of a deletion. */
export interface DeletedMessages {
  /** ascending */
  ids: number[]
  /** as the newest of them spelled it */
  topic: string
  /** the channel's new first message; undefined: unchanged, null: the channel has no message */
  first?: number | null
  /** the audience of each part of the ids */
  portions: { to: Audience; message_ids: readonly number[] }[]
  /** the entries about the files that they linked to */
  files: NewEntry[]
  /** the entries about users who no longer know each other */
  parted: NewEntry[]
}

/** Deletes a message that the actor may delete. Throws BAD_REQUEST when it is gone already, and StaleStateError. */
export const deleteMessage = async (context: WriteContext, actor: UserRow, message: ReaderRow): Promise<void> => {
  const { realm } = context
  const { id, channel_id, topic } = message
  const deletion_id = randomUUID()
  const change = await prepareDeletion(context.sql, realm, { ...message, message_ids: [id] }, actor.id, deletion_id)
  const { ids } = await commit(context, async (tx) => {
    const outcome = await change(tx)
    // Users who delete their own messages do nothing administrative.
    if (message.sender_id !== actor.id && outcome.result.ids.length > 0) {
      await storeDeletion(tx, realm.id, context.actor, { deletion_id, channel_id, topic, message_ids: [id] })
    }
    return outcome
  })
  if (ids.length === 0) throw errors.badRequest('This message is deleted already.')
}

/**
 * Composes the change that deletes these messages. It skips messages that are already deleted.
 * @param deletion_id the same for all messages that a request deletes
 */
export const prepareDeletion = async (
  sql: Db,
  realm: Realm,
  messages: MessagesToDelete,
  actor_id?: number,
  deletion_id: string = randomUUID(),
): Promise<ChangeWithResult<DeletedMessages>> => {
  const { state } = realm
  const to = await messageAudience(sql, state, messages, actor_id)
  const channel = messages.channel_id === null ? undefined : state.channels.get(messages.channel_id)
  return async (tx) => {
    await lockMessagesExclusive(tx, realm.id)
    const left = channel === undefined ? [] : await markAllLeftAsRead(tx, realm.id, channel.id)
    const portions = await splitAudience(tx, state, messages, to)
    const { ids, topic, files } = await removeMessages(tx, realm.id, messages.message_ids, {
      actor_id: actor_id ?? null,
      deletion_id,
    })
    const { dm_id, user_ids } = messages
    const { lost: parted } =
      dm_id == null || user_ids === null ? { lost: [] } : await loadConversationEntries(tx, realm, dm_id, user_ids)
    const first = channel && (await findNewFirstMessage(tx, realm.id, channel.id, ids[0]))
    const deletion = { ids, topic, files, parted, portions, ...(first === undefined ? {} : { first }) }
    const entries = [
      ...left.flatMap((left) => buildReadEntries(left)),
      ...buildDeletionEntries(state, channel, deletion),
      ...files,
      ...parted,
    ]
    return { entries, result: deletion }
  }
}

/** Splits the audience where history is protected. Each part has other messages (message-audience.ts). */
export const splitAudience = async (
  tx: Transaction,
  state: RealmState,
  messages: Pick<MessagesToDelete, 'channel_id' | 'message_ids'>,
  to: Audience,
): Promise<DeletedMessages['portions']> => {
  const { channel_id, message_ids } = messages
  const isProtected = channel_id !== null && state.channels.get(channel_id)?.history_public_to_subscribers === false
  if (!isProtected || message_ids.length === 1) return [{ to, message_ids }]
  const portions = await splitByHeldMessages(tx, state, messages, resolveAudience(state, to))
  return portions.map(({ user_ids, message_ids }) => ({ to: buildAudience(state, channel_id, user_ids), message_ids }))
}

const buildDeletionEntries = (
  state: RealmState,
  channel: ChannelRow | undefined,
  { ids, topic, portions, first }: DeletedMessages,
): NewEntry[] => {
  const deletedIds = new Set(ids)
  const deletionEntries = portions.flatMap(({ to, message_ids }) =>
    composeDeletionEntries({
      to,
      message_ids: message_ids.filter((id) => deletedIds.has(id)).sort((a, b) => a - b),
      ...(channel === undefined ? {} : { stream_id: channel.id, topic }),
    }),
  )
  const unnamed = composeChangedMessages(ids, portions)
  return channel === undefined || first === undefined
    ? [...deletionEntries, ...unnamed]
    : [firstMessageEntry(state, channel, first), ...deletionEntries, ...unnamed]
}

/** Removes the messages from the tables. @returns those that existed */
const removeMessages = async (
  tx: Transaction,
  realm_id: number,
  message_ids: readonly number[],
  { actor_id, deletion_id }: Deletion,
): Promise<Pick<DeletedMessages, 'ids' | 'topic' | 'files'>> => {
  const ids = message_ids as number[]
  const { entries: files, claims } = await removeClaims(tx, realm_id, ids)
  // The first statement reads the rows that the others delete: a connection runs them in their order.
  const [deleted] = await Promise.all([
    tx<{ id: number; topic: string }[]>`
      with gone as (
        delete from messages where realm_id = ${realm_id} and id = any(${ids}::bigint[]) returning *
      ), kept as (
        insert into deleted_messages (realm_id, id, actor_id, deletion_id, message, belongings)
        select realm_id, id, ${actor_id}::int, ${deletion_id}, to_jsonb(gone), ${composeBelongings(tx, claims)} from gone
        on conflict (realm_id, id) do update set
          message = excluded.message, deleted_at = excluded.deleted_at, actor_id = excluded.actor_id,
          deletion_id = excluded.deletion_id, belongings = excluded.belongings
      )
      select id, topic from gone`,
    tx`delete from message_flags where realm_id = ${realm_id} and message_id = any(${ids}::bigint[])`,
    tx`delete from reactions where realm_id = ${realm_id} and message_id = any(${ids}::bigint[])`,
    tx`delete from submessages where realm_id = ${realm_id} and message_id = any(${ids}::bigint[])`,
    tx`delete from message_terms where realm_id = ${realm_id} and message_id = any(${ids}::bigint[])`,
    tx`delete from message_words where realm_id = ${realm_id} and message_id = any(${ids}::bigint[])`,
  ])
  deleted.sort((a, b) => a.id - b.id)
  return { ids: deleted.map(({ id }) => id), topic: deleted.at(-1)?.topic ?? '', files }
}

/**
 * Finds the channel's new first message after a deletion or restoration (2). Returns undefined if it is the same: if a
 * message before `changedFirst` exists. The head is locked only if none does: while an older message exists, no send
 * has to wait, and no other transaction can delete that message (1).
 * Index: messages_channel.
 */
export const findNewFirstMessage = async (
  tx: Transaction,
  realm_id: number,
  channel_id: number,
  changedFirst: number | undefined,
): Promise<number | null | undefined> => {
  if (changedFirst === undefined) return undefined
  const older = await tx`
    select from messages where realm_id = ${realm_id} and channel_id = ${channel_id} and id < ${changedFirst} limit 1`
  if (older.count > 0) return undefined
  const [, [first]] = await Promise.all([
    lockHeadRow(tx, realm_id),
    tx<{ id: number }[]>`
      select id from messages where realm_id = ${realm_id} and channel_id = ${channel_id} order by id limit 1`,
  ])
  return first?.id ?? null
}
