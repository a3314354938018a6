/**
 * Messages by id, as one reader has them: the rows, whether they received them, and their flags.
 *
 * 1. What a reader may not read is not found: `visible` leaves it out, like a message that does not exist.
 * 2. One statement reads everything about the messages that stands in their own row or under the reader's name.
 *    What hangs on a message beside that (reactions, submessages) comes from its own file, by the same ids.
 */

import { everybody, flagsOf } from '../domain/flags.js'
import { mayRead } from '../domain/reading.js'
import type { UserRow } from '../domain/rows.js'
import type { RealmState } from '../domain/state.js'
import type { Db } from './sql.js'

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
}

/** A message as one reader has it. */
export interface ReaderRow extends MessageRow {
  /** the participants of a direct message, ids ascending */
  user_ids: number[] | null
  /** whether the reader received it, or gained it later */
  received: boolean
  /** the reader's flags, as bits (domain/flags.ts) */
  flags: number
}

/** Those of the messages that the reader may read (1), by id ascending. A spectator reads web-public channels. */
export const visible = async (
  db: Db,
  state: RealmState,
  reader: UserRow | undefined,
  ids: readonly number[],
): Promise<ReaderRow[]> => {
  const rows = await rowsFor(db, state.realm.id, reader, ids)
  return rows.filter((row) =>
    reader === undefined
      ? row.channel_id !== null && state.channels.get(row.channel_id)?.is_web_public === true
      : mayRead(state, reader, row),
  )
}

/** The messages of these ids, by id ascending, whoever may read them: for ids that come out of a narrow. */
export const rowsFor = async (
  db: Db,
  realm_id: number,
  reader: UserRow | undefined,
  ids: readonly number[],
): Promise<ReaderRow[]> => {
  if (ids.length === 0) return []
  const user_id = reader?.id ?? everybody
  const rows = await db<
    (MessageRow & {
      user_ids: number[] | null
      own: number | null
      shared: number | null
      was_recipient: boolean
      passed: boolean
    })[]
  >`
    select m.id, m.sender_id, m.channel_id, m.dm_id, m.topic, m.content, m.rendered_content, m.timestamp, m.client,
      m.is_me_message, m.last_edit_timestamp, m.last_moved_timestamp, c.user_ids,
      own.flags as own, shared.flags as shared,
      d.dm_id is not null or exists (
        select from membership_spans s
        where s.realm_id = ${realm_id} and s.user_id = ${user_id} and s.channel_id = m.channel_id
          and m.id >= s.from_message and (s.to_message is null or m.id < s.to_message)
      ) as was_recipient,
      m.id <= coalesce(d.read_up_to, r.read_up_to, 0) or (m.sender_id = ${user_id} and m.sender_read) as passed
    from messages m
      left join message_flags own
        on own.realm_id = m.realm_id and own.user_id = ${user_id} and own.message_id = m.id
      left join message_flags shared
        on shared.realm_id = m.realm_id and shared.user_id = ${everybody} and shared.message_id = m.id
      left join channel_reads r
        on r.realm_id = m.realm_id and r.user_id = ${user_id} and r.channel_id = m.channel_id
      left join dm_members d on d.realm_id = m.realm_id and d.user_id = ${user_id} and d.dm_id = m.dm_id
      left join dm_conversations c on c.realm_id = m.realm_id and c.id = m.dm_id
    where m.realm_id = ${realm_id} and m.id = any(${ids as number[]}::bigint[])
    order by m.id`
  return rows.map(({ own, shared, was_recipient, passed, ...row }) => ({
    ...row,
    received: was_recipient || own !== null,
    flags: flagsOf({ own, shared, was_recipient, passed }),
  }))
}
