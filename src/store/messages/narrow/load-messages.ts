/**
 * Loads messages by id for one reader: the rows, whether the reader received them, and the reader's flags.
 *
 * 1. A message that the reader may not read is treated like one that does not exist: `loadReadableMessages` omits it.
 * 2. One statement reads the message rows and the reader's rows. Reactions and submessages are loaded by their own
 *    files, with the same ids.
 */

import { isOpenToSpectators } from '#rules/channel-access.js'
import { isChangeable } from '#rules/message-rights.js'
import { computeFlags, everySubscriber, type FlagFacts } from '../../../domain/messages/flags.js'
import type { HistoryItem } from '../../../domain/messages/message.js'
import { canRead, type MessageAccess } from '../../../domain/messages/reading.js'
import { errors } from '../../../domain/protocol/errors.js'
import type { Fragment } from '../../sql.js'
import { type ReadContext, readerKey, readerReadUpTo, wasReaderRecipient, wasReadWhenSent } from './conditions.js'

/** A row of the table messages. */
export interface MessageRow {
  id: number
  sender_id: number
  channel_id: number | null
  dm_id: number | null
  topic: string
  content: string
  rendered_content: string
  timestamp: number
  client: string
  is_me_message: boolean
  last_edit_timestamp: number | null
  last_moved_timestamp: number | null
  /** newest first */
  edit_history: HistoryItem[] | null
}

/** A message with the reader's relation to it. */
export interface ReaderRow extends MessageRow {
  /** the participants of a direct message, ids ascending */
  user_ids: number[] | null
  /** whether the reader received it, or gained it later */
  received: boolean
  /** the reader's flags, as bits (domain/messages/flags.ts) */
  flags: number
}

/** The columns of a message that flag changes need: without its texts, which are large. */
export type FlagRow = Pick<ReaderRow, 'id' | 'channel_id' | 'dm_id' | 'topic' | 'user_ids' | 'received' | 'flags'> &
  FlagFacts

/** Loads those messages that the reader may read (1), by id ascending. A spectator reads web-public channels. */
export const loadReadableMessages = async (context: ReadContext, ids: readonly number[]): Promise<ReaderRow[]> =>
  (await loadMessages(context, ids)).filter((row) => isReadable(context, row))

/** Whether the reader may read any of the messages (1). */
export const isAnyReadable = async (context: ReadContext, ids: readonly number[]): Promise<boolean> =>
  (await loadFlagRows(context, ids)).some((row) => isReadable(context, row))

const isReadable = ({ state, reader }: ReadContext, row: MessageAccess): boolean =>
  reader === undefined
    ? row.channel_id !== null && isOpenToSpectators(state.channels.get(row.channel_id))
    : canRead(state, reader, row)

/** Loads a message that the reader may read and change. Throws BAD_REQUEST, as for one that does not exist (1). */
export const requireChangeableMessage = async (context: ReadContext, message_id: number): Promise<ReaderRow> => {
  const [row] = await loadReadableMessages(context, [message_id])
  const channel = row?.channel_id == null ? undefined : context.state.channels.get(row.channel_id)
  if (row === undefined || !isChangeable(channel)) throw errors.invalidMessages()
  return row
}

/** Loads messages by id ascending, without a permission check. It is for ids that a narrow selected. */
export const loadMessages = async (context: ReadContext, ids: readonly number[]): Promise<ReaderRow[]> =>
  ids.length === 0 ? [] : (await loadMessagesWith(context, ids)).rows

/** Additions to the statement that loads messages. */
interface Additions {
  /** begins with `with` */
  tables: Fragment
  /** begin with a comma; the same in all rows */
  columns: Fragment
  /** conditions, beginning with `and` */
  which: Fragment
}

/** The same with additions to the statement. `added`: the values of their columns; empty without a message */
export const loadMessagesWith = async (
  context: ReadContext,
  ids: readonly number[],
  additions?: Additions,
): Promise<{ rows: ReaderRow[]; added: unknown[] }> => {
  const { sql } = context
  const { realm_id } = readerKey(context)
  const { tables, columns, which } = additions ?? { tables: sql``, columns: sql``, which: sql`` }
  const rows = await sql`
    ${tables}
    select m.id, m.sender_id, m.channel_id, m.dm_id, m.topic, m.content, m.rendered_content, m.timestamp, m.client,
      m.is_me_message, m.last_edit_timestamp, m.last_moved_timestamp, m.edit_history, ${readerColumns(context)} ${columns}
    from messages m
    where m.realm_id = ${realm_id} and m.id = any(${ids as number[]}::bigint[]) ${which}
    order by m.id`.values()
  return { rows: (rows as unknown as ReaderColumns[]).map(toReaderRow), added: rows[0]?.slice(OWN_COLUMNS) ?? [] }
}

const OWN_COLUMNS: ReaderColumns['length'] = 18

/** The columns of that statement, in its order. */
type ReaderColumns = [
  id: number,
  sender_id: number,
  channel_id: number | null,
  dm_id: number | null,
  topic: string,
  content: string,
  rendered_content: string,
  timestamp: number,
  client: string,
  is_me_message: boolean,
  last_edit_timestamp: number | null,
  last_moved_timestamp: number | null,
  edit_history: HistoryItem[] | null,
  user_ids: number[] | null,
  own: number | null,
  shared: number | null,
  was_recipient: boolean,
  passed: boolean,
]

/**
 * The driver sets the columns of a row one by one. That costs several times as much as this literal, and V8 keeps a row
 * with 20 such columns as a hash table.
 */
const toReaderRow = ([
  id,
  sender_id,
  channel_id,
  dm_id,
  topic,
  content,
  rendered_content,
  timestamp,
  client,
  is_me_message,
  last_edit_timestamp,
  last_moved_timestamp,
  edit_history,
  user_ids,
  own,
  shared,
  was_recipient,
  passed,
]: ReaderColumns): ReaderRow => ({
  id,
  sender_id,
  channel_id,
  dm_id,
  topic,
  content,
  rendered_content,
  timestamp,
  client,
  is_me_message,
  last_edit_timestamp,
  last_moved_timestamp,
  edit_history,
  user_ids,
  received: was_recipient || own !== null,
  flags: computeFlags({ own, shared, was_recipient, passed }),
})

/** Loads the columns that flag changes need. One request may mark thousands of messages as read. */
export const loadFlagRows = async (context: ReadContext, ids: readonly number[]): Promise<FlagRow[]> => {
  if (ids.length === 0) return []
  const { sql } = context
  const { realm_id } = readerKey(context)
  const rows = await sql<FlagRow[]>`
    select m.id, m.channel_id, m.dm_id, m.topic, ${readerColumns(context)}
    from messages m
    where m.realm_id = ${realm_id} and m.id = any(${ids as number[]}::bigint[])
    order by m.id`
  // In place, because copying rows costs more than reading them.
  for (const row of rows) {
    row.received = row.was_recipient || row.own !== null
    row.flags = computeFlags(row)
  }
  return rows
}

/**
 * The columns of the reader's relation to `m`. Subqueries and not joins: for a join, the planner may read all flags or
 * channels of the reader for a few messages.
 */
const readerColumns = (context: ReadContext): Fragment => {
  const { sql } = context
  const { realm_id, user_id } = readerKey(context)
  return sql`
    (select c.user_ids from dm_conversations c where c.realm_id = ${realm_id} and c.id = m.dm_id) as user_ids,
    (
      select f.flags from message_flags f
      where f.realm_id = ${realm_id} and f.user_id = ${user_id} and f.message_id = m.id
    ) as own,
    (
      select f.flags from message_flags f
      where f.realm_id = ${realm_id} and f.user_id = ${everySubscriber} and f.message_id = m.id
    ) as shared,
    ${wasReaderRecipient(context)} as was_recipient,
    ${wasReadWhenSent(sql, user_id)} or m.id <= ${readerReadUpTo(context)} as passed`
}
