/**
 * Moves messages to another topic or channel.
 *
 * moved-flag-rows.ts updates the flag rows of users, lost-access.ts says who lost the messages, and
 * moved-topic-policies.ts updates the policies for the topic.
 * Source: protocol/messages.md 4.2 to 4.5.
 */

import { firstMessageEntry } from '../../../domain/channels/first-messages.js'
import type { NewEntry } from '../../../domain/log/entry.js'
import type { ChannelRow, UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { findTopicLinks } from '../../../domain/markdown/links/topic-links.js'
import type { Move } from '../../../domain/messages/editing/editing.js'
import type { MovedTo } from '../../../domain/messages/editing/update-message-entry.js'
import { errors } from '../../../domain/protocol/errors.js'
import { compiledLinkifiers } from '../../../domain/realm/linkifiers.js'
import type { JobSpec } from '../../jobs/job-table.js'
import { lockHeadRow, StaleStateError } from '../../log/log.js'
import type { Fragment, Sql, Transaction } from '../../sql.js'
import type { UnreadByUsers } from '../flags/left-channels.js'
import { hasOwnRow, wasReaderRecipient } from '../narrow/conditions.js'
import type { ReaderRow } from '../narrow/load-messages.js'
import { composeLostAccess, findListedRecipients } from './lost-access.js'
import { keepsAccess, moveFlagRows, NO_ORIGIN } from './moved-flag-rows.js'
import { moveTopicPolicies } from './moved-topic-policies.js'

/**
 * The ids of the messages to move, ascending. Throws MOVE_MESSAGES_TIME_LIMIT_EXCEEDED, BAD_REQUEST for named ones that
 * the editor may not read, and StaleStateError. Index: messages_topic.
 */
export const findMessagesToMove = async (
  tx: Transaction,
  state: RealmState,
  { editor, message, message_ids }: { editor: UserRow; message: ReaderRow; message_ids?: readonly number[] },
  move: Move,
): Promise<number[]> => {
  const { from, mode, not_before } = move
  if (message_ids !== undefined) return checkNamedMessages(tx, state, message, { editor, message_ids }, move)
  if (mode === 'change_one') return [message.id]
  const first = mode === 'change_later' ? message.id : 0
  const rows = await tx<{ id: number; timestamp: number }[]>`
    select m.id, m.timestamp from messages m
    where m.realm_id = ${state.realm.id} and m.channel_id = ${from.id} and lower(m.topic) = lower(${message.topic})
      and m.id >= ${first} and ${isReadableInChannel(tx, state, editor, from)}
    order by m.id`
  const allowed = rows.filter(({ timestamp }) => timestamp >= not_before)
  if (mode === 'change_all' && allowed.length < rows.length) {
    throw errors.moveTimeLimitExceeded({
      first_message_id_allowed_to_move: allowed[0]?.id ?? null,
      total_messages_in_topic: rows.length,
      total_messages_allowed_to_move: allowed.length,
    })
  }
  return rows.map(({ id }) => id)
}

/**
 * The ids, if all of them still are in the topic. Throws StaleStateError if not, BAD_REQUEST for one that the editor
 * may not read, and MOVE_MESSAGES_TIME_LIMIT_EXCEEDED.
 */
const checkNamedMessages = async (
  tx: Transaction,
  state: RealmState,
  { topic }: ReaderRow,
  { editor, message_ids }: { editor: UserRow; message_ids: readonly number[] },
  { from, not_before }: Move,
): Promise<number[]> => {
  const rows = await tx<{ id: number; timestamp: number; readable: boolean }[]>`
    select m.id, m.timestamp, ${isReadableInChannel(tx, state, editor, from)} as readable from messages m
    where m.realm_id = ${state.realm.id} and m.id = any(${message_ids as number[]}::bigint[])
      and m.channel_id = ${from.id} and m.topic = ${topic}
    order by m.id`
  if (rows.length < message_ids.length) throw new StaleStateError()
  if (!rows.every(({ readable }) => readable)) throw errors.invalidMessages()
  const allowed = rows.filter(({ timestamp }) => timestamp >= not_before)
  if (allowed.length < rows.length) {
    throw errors.moveTimeLimitExceeded({
      first_message_id_allowed_to_move: allowed[0]?.id ?? null,
      total_messages_in_topic: rows.length,
      total_messages_allowed_to_move: allowed.length,
    })
  }
  return rows.map(({ id }) => id)
}

/** Whether `m`, a message of the channel, is readable for a user with access to the channel. */
const isReadableInChannel = (tx: Transaction, state: RealmState, reader: UserRow, channel: ChannelRow): Fragment => {
  if (channel.history_public_to_subscribers) return tx`true`
  const context = { sql: tx as unknown as Sql, state, reader }
  return tx`(${wasReaderRecipient(context)} or ${hasOwnRow(context)})`
}

/** The recipients who lose access by the move. */
export const findLosers = (state: RealmState, recipients: ReadonlySet<number>, { from, to }: Move): Set<number> =>
  from.id === to.id ? new Set() : new Set([...recipients].filter((user_id) => !keepsAccess(state, user_id, to)))

/** What the move leaves of the old topic and finds in the new one. */
export interface MoveOutcome {
  /** the mover sees no message left behind */
  takes_all: boolean
  /** no message was there before */
  into_empty: boolean
}

interface MessageMove {
  editor: UserRow
  message: ReaderRow
  message_ids: readonly number[]
  move: Move
  now: number
}

/** The result of a move. */
export interface MoveResult {
  outcome: MoveOutcome
  /** messages that the move marked as read */
  read: UnreadByUsers[]
  followed: NewEntry[]
}

/** Moves the messages, with the flag rows and the topic policies of users. */
export const moveMessages = async (tx: Transaction, state: RealmState, moving: MessageMove): Promise<MoveResult> => {
  const { message, message_ids, move } = moving
  const { from, to, topic } = move
  const outcome = await findOutcome(tx, state, moving)
  const read = from.id === to.id ? [] : await moveFlagRows(tx, state, { ids: message_ids, from, to })
  const { into_empty } = outcome
  const carried = { from, to, old_topic: message.topic, topic, into_empty }
  const followed = outcome.takes_all ? await moveTopicPolicies(tx, state, carried) : []
  await writeMove(tx, state, moving)
  return { outcome, read, followed }
}

/** Index: messages_topic. */
const findOutcome = async (tx: Transaction, state: RealmState, moving: MessageMove): Promise<MoveOutcome> => {
  const { editor, message, message_ids, move } = moving
  const { from, to, topic, mode } = move
  const isEmpty = async (channel_id: number, name: string, counts: Fragment) => {
    const [row] = await tx`
      select from messages m
      where m.realm_id = ${state.realm.id} and m.channel_id = ${channel_id} and lower(m.topic) = lower(${name})
        and m.id <> all(${message_ids as number[]}::bigint[]) and ${counts}
      limit 1`
    return row === undefined
  }
  const takes_all =
    mode === 'change_all' || (await isEmpty(from.id, message.topic, isReadableInChannel(tx, state, editor, from)))
  return { takes_all, into_empty: await isEmpty(to.id, topic, tx`true`) }
}

const writeMove = async (tx: Transaction, state: RealmState, moving: MessageMove): Promise<void> => {
  const { editor, message, message_ids, move, now } = moving
  const { from, to, topic, resolves, isCaseOnly } = move
  const realm_id = state.realm.id
  const origin = to.history_public_to_subscribers ? tx`coalesce(origin_channel_id, channel_id)` : tx`${NO_ORIGIN}::int`
  const changesChannel = from.id !== to.id
  const listed = changesChannel ? await findListedRecipients(tx, state, { ids: message_ids, from, to }) : []
  const changesTopic = topic !== message.topic
  const happened = {
    user_id: editor.id,
    timestamp: now,
    ...(changesChannel ? { prev_stream: from.id, stream: to.id } : {}),
    ...(changesTopic ? { topic } : {}),
  }
  await tx`
    update messages set
      edit_history = jsonb_build_array(
        ${JSON.stringify(happened)}::text::jsonb
          || case when ${changesTopic} then jsonb_build_object('prev_topic', topic) else '{}' end
      ) || coalesce(edit_history, '[]'),
      last_moved_timestamp = case when ${resolves !== undefined || isCaseOnly} then last_moved_timestamp else ${now} end,
      topic = ${topic}, channel_id = ${to.id}
      ${changesChannel ? tx`, origin_channel_id = ${origin}, ${composeLostAccess(tx, to, listed)}` : tx``}
    where realm_id = ${realm_id} and id = any(${message_ids as number[]}::bigint[])`
}

/**
 * Updates the first message of both channels after a move. It locks the log's head, so that the query sees every
 * message that was sent meanwhile. Index: messages_channel.
 */
export const updateFirstMessages = async (tx: Transaction, state: RealmState, move: Move): Promise<NewEntry[]> => {
  if (move.from.id === move.to.id) return []
  const realm_id = state.realm.id
  await lockHeadRow(tx, realm_id)
  const rows = await tx<{ channel_id: number; first: number | null }[]>`
    select channel_id, (
      select m.id from messages m
      where m.realm_id = ${realm_id} and m.channel_id = channel.channel_id order by m.id limit 1
    ) as first
    from unnest(${[move.from.id, move.to.id]}::int[]) as channel (channel_id)`
  return [move.from, move.to].flatMap((channel) => {
    const value = rows.find(({ channel_id }) => channel_id === channel.id)?.first ?? null
    return value === (state.firstMessage.get(channel.id) ?? null) ? [] : [firstMessageEntry(state, channel, value)]
  })
}

/** The fields of the event. */
export const buildLocationChange = (
  state: RealmState,
  message: ReaderRow,
  { mode, from, to, topic }: Move,
): MovedTo => ({
  propagate_mode: mode,
  orig_topic: message.topic,
  ...(from.id === to.id ? {} : { new_stream_id: to.id }),
  ...(topic === message.topic
    ? {}
    : { topic, topic_links: findTopicLinks(topic, { linkifiers: compiledLinkifiers(state) }) }),
})

interface NoticeRequest {
  editor: UserRow
  message: ReaderRow
  /** the new text, if the same request edits it */
  content?: string | undefined
  /** which topics get one (protocol/messages.md 4.5) */
  notify: { old_thread: boolean; new_thread: boolean }
}

/** The job that sends the notices of a move. Resolving a topic together with a text edit sends none. */
export const moveNoticeJobs = (
  { editor, message, content, notify }: NoticeRequest,
  { from, to, topic, resolves, isCaseOnly }: Move,
  message_ids: readonly number[],
  outcome: MoveOutcome,
): JobSpec[] => {
  if (isCaseOnly) return []
  const isTold = resolves === undefined ? notify.old_thread || notify.new_thread : content === undefined
  if (!isTold) return []
  const payload = {
    actor_id: editor.id,
    old: { channel_id: from.id, topic: message.topic },
    new: { channel_id: to.id, topic },
    resolves: resolves ?? null,
    notify,
    first_id: message_ids[0] ?? message.id,
    count: message_ids.length,
    ...outcome,
  }
  return [{ kind: 'move_notices', payload }]
}
