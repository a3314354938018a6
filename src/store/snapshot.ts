/**
 * The database part of a registration: what of a user's content is not in memory.
 *
 * 1. All of it is one statement, and a statement sees one moment, whatever its transaction: the log position read
 *    with it is exactly that moment's. So no transaction is opened around it.
 * 2. Unread is a message of a subscribed channel or a conversation that lies after the reader's pointer, or carries
 *    the `unread` bit; without that bit, neither does it carry the `read` bit nor was it read by being sent (flags.ts).
 */
import { apart, everybody, Flag, wildcardMentioned } from '../domain/flags.js'
import { limits } from '../domain/limits.js'
import type { Content, ContentName } from '../domain/register/asked.js'
import type { Fragment, Sql } from './sql.js'

/** The parts of the content that are named, and the log position of their moment. */
export const loadContent = async <N extends ContentName>(
  sql: Sql,
  realm_id: number,
  user_id: number,
  needs: readonly N[],
): Promise<{ seq: number; content: Pick<Content, N> }> => {
  const who = { realm_id, user_id }
  const columns = needs.map((name) => sql`, (${parts[name](sql, who)}) as ${sql(name as string)}`)
  const [row] = await sql<(Pick<Content, N> & { seq: number })[]>`
    select log_seq as seq ${columns} from log_heads where realm_id = ${realm_id}`
  if (row === undefined) throw new Error(`realm ${realm_id} has no log`)
  const { seq, ...content } = row
  return { seq, content: content as unknown as Pick<Content, N> }
}

interface Reader {
  realm_id: number
  user_id: number
}

type Part = (sql: Sql, reader: Reader) => Fragment

/** Bits as they are spelled in a partial index: as a parameter the planner could not compare them. */
const written = (sql: Sql, bits: number): Fragment => sql.unsafe(String(bits))

const isUnreadAgain = (sql: Sql): Fragment =>
  sql`f.flags & ${written(sql, apart)} <> 0 and f.flags & ${Flag.unread} <> 0`

/** Mentions of the reader alone, or of a group of theirs. */
const byName = Flag.mentioned | Flag.group_mentioned

// The limits inside the lateral joins also hold the planner to the indexes: one probe per channel or conversation.
const parts: { readonly [N in ContentName]: Part } = {
  last_message_id: (sql, { realm_id }) => sql`
    select last_message_id from log_heads where realm_id = ${realm_id}`,

  // Indexes: messages_channel, message_flags (primary key and message_flags_apart).
  unread_topics: (sql, { realm_id, user_id }) => sql`
    with own as (
      select s.channel_id, s.is_muted, r.read_up_to
      from subscriptions s join channel_reads r using (realm_id, user_id, channel_id)
      where s.realm_id = ${realm_id} and s.user_id = ${user_id} and s.active
    ), candidate as (
      select own.channel_id, own.is_muted, m.id, m.topic, m.is_own_read
      from own cross join lateral (
        select id, topic, sender_id = ${user_id} and sender_read as is_own_read
        from messages
        where realm_id = ${realm_id} and channel_id = own.channel_id and id > own.read_up_to
        order by id desc limit ${limits.max_unread_messages}
      ) m
      union all
      select own.channel_id, own.is_muted, m.id, m.topic, false
      from message_flags f
      join messages m on m.realm_id = ${realm_id} and m.id = f.message_id
      join own on own.channel_id = m.channel_id
      where f.realm_id = ${realm_id} and f.user_id = ${user_id} and ${isUnreadAgain(sql)}
        and m.id <= own.read_up_to
    ), unread as (
      select c.channel_id, c.is_muted, c.id, c.topic, coalesce(f.flags, 0) | coalesce(e.flags, 0) as flags
      from candidate c
      left join message_flags f on f.realm_id = ${realm_id} and f.user_id = ${user_id} and f.message_id = c.id
      left join message_flags e on e.realm_id = ${realm_id} and e.user_id = ${everybody} and e.message_id = c.id
      where coalesce(f.flags, 0) & ${Flag.unread} <> 0
        or (coalesce(f.flags, 0) & ${Flag.read} = 0 and not c.is_own_read)
      order by c.id desc limit ${limits.max_unread_messages}
    ), grouped as (
      select channel_id, bool_or(is_muted) as channel_is_muted, (array_agg(topic order by id desc))[1] as topic,
        json_agg(id order by id) as ids,
        coalesce(json_agg(id order by id) filter (where flags & ${byName} <> 0), '[]') as mentions,
        coalesce(json_agg(id order by id) filter (where flags & ${wildcardMentioned} <> 0), '[]') as wildcards
      from unread group by channel_id, lower(topic)
    )
    select coalesce(json_agg(grouped), '[]') from grouped`,

  // Indexes: messages_dm, message_flags (primary key and message_flags_apart).
  unread_direct: (sql, { realm_id, user_id }) => sql`
    with own as (
      select dm_id, read_up_to from dm_members where realm_id = ${realm_id} and user_id = ${user_id}
    ), candidate as (
      select own.dm_id, m.id, m.is_own_read
      from own cross join lateral (
        select id, sender_id = ${user_id} and sender_read as is_own_read
        from messages
        where realm_id = ${realm_id} and dm_id = own.dm_id and id > own.read_up_to
        order by id desc limit ${limits.max_unread_messages}
      ) m
      union all
      select own.dm_id, m.id, false
      from message_flags f
      join messages m on m.realm_id = ${realm_id} and m.id = f.message_id
      join own on own.dm_id = m.dm_id
      where f.realm_id = ${realm_id} and f.user_id = ${user_id} and ${isUnreadAgain(sql)}
        and m.id <= own.read_up_to
    ), unread as (
      select c.dm_id, c.id, coalesce(f.flags, 0) as flags
      from candidate c
      left join message_flags f on f.realm_id = ${realm_id} and f.user_id = ${user_id} and f.message_id = c.id
      where coalesce(f.flags, 0) & ${Flag.unread} <> 0
        or (coalesce(f.flags, 0) & ${Flag.read} = 0 and not c.is_own_read)
      order by c.id desc limit ${limits.max_unread_messages}
    ), grouped as (
      select to_json(c.user_ids) as user_ids, json_agg(u.id order by u.id) as ids,
        coalesce(json_agg(u.id order by u.id) filter (where u.flags & ${byName} <> 0), '[]') as mentions
      from unread u join dm_conversations c on c.realm_id = ${realm_id} and c.id = u.dm_id
      group by c.id, c.user_ids
    )
    select coalesce(json_agg(grouped), '[]') from grouped`,

  // Index: messages_dm.
  recent_direct: (sql, { realm_id, user_id }) => sql`
    with recent as (
      select d.dm_id, m.id
      from dm_members d cross join lateral (
        select id from messages where realm_id = ${realm_id} and dm_id = d.dm_id order by id desc limit 1
      ) m
      where d.realm_id = ${realm_id} and d.user_id = ${user_id}
      order by m.id desc limit ${limits.recent_direct_messages_scanned}
    )
    select coalesce(json_agg(json_build_object('max_message_id', r.id, 'user_ids', c.user_ids) order by r.id desc), '[]')
    from recent r join dm_conversations c on c.realm_id = ${realm_id} and c.id = r.dm_id`,

  // Index: message_flags_starred.
  starred: (sql, { realm_id, user_id }) => sql`
    select coalesce(json_agg(message_id order by message_id), '[]')
    from (
      select message_id from message_flags
      where realm_id = ${realm_id} and user_id = ${user_id} and flags & ${written(sql, Flag.starred)} <> 0
      order by message_id desc limit ${limits.max_starred_messages}
    ) newest`,

  partners: (sql, reader) => sql`select coalesce(json_agg(user_id), '[]') from (${partnersOf(sql, reader)}) partner`,
}

/** The others in conversations in which somebody has written. Index: messages_dm. */
const partnersOf = (sql: Sql, { realm_id, user_id }: Reader) => sql`
  select distinct other.user_id
  from dm_members d join dm_members other using (realm_id, dm_id)
  where d.realm_id = ${realm_id} and d.user_id = ${user_id} and other.user_id <> ${user_id}
    and exists (select from messages m where m.realm_id = ${realm_id} and m.dm_id = d.dm_id)`

/** Ids of the people with whom this account has exchanged direct messages. */
export const partnersIn = async (sql: Sql, realm_id: number, user_id: number): Promise<number[]> => {
  const rows = await sql<{ user_id: number }[]>`${partnersOf(sql, { realm_id, user_id })}`
  return rows.map((row) => row.user_id)
}
