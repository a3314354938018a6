/**
 * Deleted messages, which are kept for some time with what belonged to them, so that they can be restored.
 *
 * 1. A message is kept in the transaction that deletes it: with its flag rows, reactions, submessages and the files to
 *    which it linked.
 * 2. No client sees it, apart from administrators who list deleted messages, in the places of
 *    domain/messages/editing/restoring.ts.
 * 3. Messages that a request deletes have the same deletion id, also if jobs delete them one batch after the other.
 */

import type { UserRow } from '../../../domain/log/rows.js'
import { findRestorablePlaces, KEPT_DAYS } from '../../../domain/messages/editing/restoring.js'
import { Flag } from '../../../domain/messages/flags.js'
import type { Db, Fragment, Sql } from '../../sql.js'
import { type ReadContext, wasReaderRecipient } from '../narrow/conditions.js'
import type { FileClaim } from '../sending/file-claims.js'

/** Who deletes messages, and with which others. */
export interface Deletion {
  /** null: the retention time, the server, or an operator */
  actor_id: number | null
  deletion_id: string
}

/** What is kept of a message beside its row. What there is none of is absent. */
export interface Belongings {
  /** the bits of each user who has more than `read` or `unread`, by the id of the user */
  flags?: Record<string, number>
  reactions?: object[]
  submessages?: object[]
  /** ids of attachments */
  files?: number[]
}

/** Composes what belongs to the deleted message `gone`, as JSON. @param claims those of all messages of the deletion */
export const composeBelongings = (tx: Db, claims: readonly FileClaim[]): Fragment => tx`
  jsonb_strip_nulls(jsonb_build_object(
    'flags', (
      select jsonb_object_agg(f.user_id, f.flags) from message_flags f
      where f.realm_id = gone.realm_id and f.message_id = gone.id and f.flags & ~${Flag.read | Flag.unread}::int <> 0
    ),
    'reactions', (
      select jsonb_agg(jsonb_build_object(
        'user_id', r.user_id, 'reaction_type', r.reaction_type, 'emoji_code', r.emoji_code, 'emoji_name', r.emoji_name
      ) order by r.id)
      from reactions r where r.realm_id = gone.realm_id and r.message_id = gone.id
    ),
    'submessages', (
      select jsonb_agg(jsonb_build_object(
        'id', s.id, 'sender_id', s.sender_id, 'msg_type', s.msg_type, 'content', s.content
      ) order by s.id)
      from submessages s where s.realm_id = gone.realm_id and s.message_id = gone.id
    ),
    'files', (
      select jsonb_agg(c.id order by c.id) from unnest(
        ${claims.map(({ message_id }) => message_id)}::bigint[], ${claims.map(({ id }) => id)}::bigint[]
      ) as c (message_id, id)
      where c.message_id = gone.id
    )
  ))`

/** Which deleted messages are listed or restored. All that is given must match. */
export interface DeletedMessageFilter {
  message_ids?: readonly number[] | undefined
  deletion_id?: string | undefined
  channel_id?: number | undefined
  topic?: string | undefined
  sender_id?: number | undefined
  /** a part of the text */
  text?: string | undefined
}

/** A deleted message, as administrators and operators see it. */
export interface DeletedMessage {
  id: number
  sender_id: number
  /** null: a direct message */
  stream_id: number | null
  topic: string
  /** the participants of a direct message, ascending */
  user_ids: number[] | null
  /** as it was typed */
  content: string
  timestamp: number
  /** UNIX seconds */
  deleted_at: number
  /** null: the retention time, the server, or an operator */
  deleted_by: number | null
  /** null: a message that a former release deleted */
  deletion_id: string | null
}

/** The reader of deleted messages: an administrator; undefined: an operator. */
export type RestoringContext = ReadContext & { readonly now: number }

/**
 * Selects the deleted messages that this reader may restore (2). It is a part of a statement: `d` is the kept row, and
 * `m` the message as it was. Indexes: key, deleted_messages_newest, deleted_messages_deletion.
 */
export const fromRestorable = (context: RestoringContext, filter: DeletedMessageFilter): Fragment => {
  const { sql, state, reader, now } = context
  const { channel_ids, channels_since, protected_channel_ids, direct_since } = findRestorablePlaces(state, reader, now)
  const { message_ids, deletion_id, channel_id, topic, sender_id, text } = filter
  const isGiven = (value: unknown) => value !== undefined
  return sql`
    deleted_messages d
      cross join lateral jsonb_populate_record(null::messages, d.message) m
      left join unnest(${channel_ids}::int[], ${channels_since}::bigint[]) as place (channel_id, since)
        on place.channel_id = m.channel_id
    where d.realm_id = ${state.realm.id} and d.deleted_at > now() - make_interval(days => ${KEPT_DAYS})
      and coalesce(m.timestamp >= place.since, m.dm_id is not null and m.timestamp >= ${direct_since}::bigint, false)
      and (
        m.dm_id is not null or m.channel_id <> all(${protected_channel_ids}::int[])
        or ${wasReaderRecipient(context)} or ${hadOwnRow(sql, reader)}
      )
      ${isGiven(message_ids) ? sql`and d.id = any(${message_ids as number[]}::bigint[])` : sql``}
      ${isGiven(deletion_id) ? sql`and d.deletion_id = ${deletion_id as string}` : sql``}
      ${isGiven(channel_id) ? sql`and m.channel_id = ${channel_id as number}` : sql``}
      ${isGiven(topic) ? sql`and lower(m.topic) = lower(${topic as string})` : sql``}
      ${isGiven(sender_id) ? sql`and m.sender_id = ${sender_id as number}` : sql``}
      ${isGiven(text) ? sql`and strpos(lower(m.content), lower(${text as string})) > 0` : sql``}`
}

/** Whether the reader had a flag row for the message, which gave it to them (domain/messages/flags.ts, 3). */
const hadOwnRow = (sql: Sql, reader: UserRow | undefined): Fragment =>
  sql`coalesce(jsonb_exists(d.belongings -> 'flags', ${String(reader?.id ?? 0)}), false)`

/** Kept rows that one page looks at: bounds its time, however few of them match. */
const MOST_EXAMINED = 5_000

/** A page of deleted messages. */
export interface DeletedMessagePage {
  deleted_messages: DeletedMessage[]
  /** where the next page begins; null: there is none. It can be set although the page has fewer messages than asked. */
  next: string | null
}

/** A position in the list: microseconds of the deletion, and the id of the message. */
const position = /^(\d{1,17})\.(\d{1,15})$/

/** Whether the text is a position that a page has returned. */
export const isPosition = (text: string): boolean => position.test(text)

/** Lists deleted messages, those that were deleted last first. @param before the `next` of the page before */
export const loadDeletedMessages = async (
  context: RestoringContext,
  filter: DeletedMessageFilter,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<DeletedMessagePage> => {
  const { sql, state } = context
  const [, time = '', id = ''] = position.exec(before ?? '') ?? []
  const at = (microseconds: string) => sql`timestamptz 'epoch' + interval '1 microsecond' * ${microseconds}::float8`
  const isBefore = time === '' ? sql`true` : sql`(d.deleted_at, d.id) < (${at(time)}, ${id}::bigint)`
  const place = sql`(extract(epoch from d.deleted_at) * 1000000)::int8 || '.' || d.id`
  const [last] = await sql<{ place: string }[]>`
    select ${place} as place from deleted_messages d where d.realm_id = ${state.realm.id} and ${isBefore}
    order by d.deleted_at desc, d.id desc offset ${MOST_EXAMINED - 1} limit 1`
  const [, lastTime = '', lastId = ''] = position.exec(last?.place ?? '') ?? []
  const isExamined = lastTime === '' ? sql`true` : sql`(d.deleted_at, d.id) >= (${at(lastTime)}, ${lastId}::bigint)`
  const rows = await sql<(DeletedMessage & { place: string })[]>`
    select m.id, m.sender_id, m.channel_id as stream_id, m.topic, m.content, m.timestamp, d.deletion_id,
      floor(extract(epoch from d.deleted_at))::int8 as deleted_at, d.actor_id as deleted_by, ${place} as place,
      (select c.user_ids from dm_conversations c where c.realm_id = m.realm_id and c.id = m.dm_id) as user_ids
    from ${fromRestorable(context, filter)} and ${isBefore} and ${isExamined}
    order by d.deleted_at desc, d.id desc limit ${limit}`
  const next = rows.length === limit ? rows.at(-1)?.place : last?.place
  return { deleted_messages: rows.map(({ place: _, ...message }) => message), next: next ?? null }
}

/** Purges deleted messages after their time, in bounded batches. @returns how many. Index: deleted_messages_age. */
export const purgeDeletedMessages = async (sql: Sql, batch = 10_000): Promise<number> => {
  const purged = await sql`
    delete from deleted_messages where (realm_id, id) in (
      select realm_id, id from deleted_messages
      where deleted_at < now() - make_interval(days => ${KEPT_DAYS}) limit ${batch}
    )`
  return purged.count
}
