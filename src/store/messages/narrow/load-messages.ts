/**
 * Messages by id, as one reader has them: the rows, whether they received them, and their flags.
 *
 * 1. What a reader may not read is not found: `visible` leaves it out, like a message that does not exist.
 * 2. One statement reads everything about the messages that stands in their own row or under the reader's name.
 *    What hangs on a message beside that (reactions, submessages) comes from its own file, by the same ids.
 */

import { everybody, type FlagFacts, flagsOf } from '../../../domain/messages/flags.js'
import type { HistoryItem } from '../../../domain/messages/message.js'
import { type Found, mayRead } from '../../../domain/messages/reading.js'
import { errors } from '../../../domain/protocol/errors.js'
import type { Fragment } from '../../sql.js'
import { type ReadContext, readerKey, readerReadUpTo, wasReaderRecipient, wasReadWhenSent } from './conditions.js'

/** A message as the table has it. */
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

/** A message as one reader has it. */
export interface ReaderRow extends MessageRow {
  /** the participants of a direct message, ids ascending */
  user_ids: number[] | null
  /** whether the reader received it, or gained it later */
  received: boolean
  /** the reader's flags, as bits (domain/messages/flags.ts) */
  flags: number
}

/** A message as far as flags need it: where it stands, and how the reader has it. Without its texts, which are large. */
export type FlagRow = Pick<ReaderRow, 'id' | 'channel_id' | 'dm_id' | 'topic' | 'user_ids' | 'received' | 'flags'> &
  FlagFacts

/** Those of the messages that the reader may read (1), by id ascending. A spectator reads web-public channels. */
export const loadReadableMessages = async (reading: ReadContext, ids: readonly number[]): Promise<ReaderRow[]> =>
  (await loadMessages(reading, ids)).filter((row) => isReadable(reading, row))

/** Whether the reader may read any of the messages (1). */
export const isAnyReadable = async (reading: ReadContext, ids: readonly number[]): Promise<boolean> =>
  (await loadFlagRows(reading, ids)).some((row) => isReadable(reading, row))

const isReadable = ({ state, reader }: ReadContext, row: Found): boolean =>
  reader === undefined
    ? row.channel_id !== null && state.channels.get(row.channel_id)?.is_web_public === true
    : mayRead(state, reader, row)

/** The message, if the reader may read it and it may still be acted on. Throws as for one that is not there (1). */
export const loadChangeableMessage = async (reading: ReadContext, message_id: number): Promise<ReaderRow> => {
  const [row] = await loadReadableMessages(reading, [message_id])
  const isArchived = row?.channel_id != null && reading.state.channels.get(row.channel_id)?.is_archived === true
  if (row === undefined || isArchived) throw errors.invalidMessages()
  return row
}

/** The messages of these ids, by id ascending, whoever may read them: for ids that come out of a narrow. */
export const loadMessages = async (reading: ReadContext, ids: readonly number[]): Promise<ReaderRow[]> => {
  if (ids.length === 0) return []
  const { sql } = reading
  const { realm_id } = readerKey(reading)
  return addReaderFlags(
    await sql<(ReaderRow & FlagFacts)[]>`
      select m.id, m.sender_id, m.channel_id, m.dm_id, m.topic, m.content, m.rendered_content, m.timestamp, m.client,
        m.is_me_message, m.last_edit_timestamp, m.last_moved_timestamp, m.edit_history, ${readerColumns(reading)}
      from messages m
      where m.realm_id = ${realm_id} and m.id = any(${ids as number[]}::bigint[])
      order by m.id`,
  )
}

/** The same, as far as flags need it: thousands of them are marked as read at once. */
export const loadFlagRows = async (reading: ReadContext, ids: readonly number[]): Promise<FlagRow[]> => {
  if (ids.length === 0) return []
  const { sql } = reading
  const { realm_id } = readerKey(reading)
  return addReaderFlags(
    await sql<FlagRow[]>`
      select m.id, m.channel_id, m.dm_id, m.topic, ${readerColumns(reading)}
      from messages m
      where m.realm_id = ${realm_id} and m.id = any(${ids as number[]}::bigint[])
      order by m.id`,
  )
}

/**
 * The columns of how the reader has `m`. Look-ups and not joins: a join may turn into reading all of the reader's flags
 * or channels for a few messages.
 */
const readerColumns = (reading: ReadContext): Fragment => {
  const { sql } = reading
  const { realm_id, user_id } = readerKey(reading)
  return sql`
    (select c.user_ids from dm_conversations c where c.realm_id = ${realm_id} and c.id = m.dm_id) as user_ids,
    (
      select f.flags from message_flags f
      where f.realm_id = ${realm_id} and f.user_id = ${user_id} and f.message_id = m.id
    ) as own,
    (
      select f.flags from message_flags f
      where f.realm_id = ${realm_id} and f.user_id = ${everybody} and f.message_id = m.id
    ) as shared,
    ${wasReaderRecipient(reading)} as was_recipient,
    ${wasReadWhenSent(sql, user_id)} or m.id <= ${readerReadUpTo(reading)} as passed`
}

/** The rows with what follows from those columns. Filled in and not copied: copying costs more than reading them. */
const addReaderFlags = <T extends FlagFacts & Pick<ReaderRow, 'received' | 'flags'>>(rows: T[]): T[] => {
  for (const row of rows) {
    row.received = row.was_recipient || row.own !== null
    row.flags = flagsOf(row)
  }
  return rows
}
