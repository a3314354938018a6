/**
 * The database part of a registration: the user's content that is not in memory.
 *
 * 1. One statement reads all of it. A statement sees one snapshot of the database in any isolation level, so the log
 *    position that it reads matches the content exactly, and no transaction is needed.
 * 2. Unread is a message of a subscribed channel or a conversation that lies after the reader's pointer, or carries
 *    the `unread` bit; without that bit, neither does it carry the `read` bit nor was it read by being sent (flags.ts).
 */

import { limits } from '../../domain/limits/limits.js'
import { anyMention, everySubscriber, Flag, rowOnlyFlags, wildcardMentioned } from '../../domain/messages/flags.js'
import type { Content, ContentName } from '../../domain/register/asked.js'
import { isReadByMove, wasReadWhenSent } from '../messages/narrow/conditions.js'
import type { Db, Fragment, Sql } from '../sql.js'
import { evictQueues, insertQueue, type NewQueue } from './event-queues.js'

/** Loads these parts of the content, and the log position at which they were read. */
export const loadContent = async <N extends ContentName>(
  sql: Sql,
  realm_id: number,
  user_id: number,
  needs: readonly N[],
): Promise<{ seq: number; content: Pick<Content, N> }> =>
  splitRow<N>(await sql<ContentRow<N>[]>`${selectContent(sql, { realm_id, user_id }, needs)}`, realm_id)

/**
 * Loads these parts, and writes the row of a new queue with the same log position in the same statement.
 * @returns also the ids of the queues that were deleted because the account had too many
 */
export const openWithContent = async <N extends ContentName>(
  sql: Sql,
  queue: NewQueue,
  needs: readonly N[],
): Promise<{ seq: number; content: Pick<Content, N>; evicted: readonly string[] }> =>
  splitRow<N>(
    await sql<ContentRow<N>[]>`
      with content as materialized (${selectContent(sql, queue, needs)}),
        opened as (${insertQueue(sql, queue)}), evicted as (${evictQueues(sql, queue)})
      select *, array(select id::text from evicted) as evicted from content`,
    queue.realm_id,
  )

type ContentRow<N extends ContentName> = Pick<Content, N> & { seq: number; evicted?: readonly string[] }

const selectContent = (sql: Sql, who: Reader, needs: readonly ContentName[]): Fragment => {
  const columns = needs.map((name) => sql`, (${parts[name](sql, who)}) as ${sql(name as string)}`)
  return sql`select log_seq as seq ${columns} from log_heads where realm_id = ${who.realm_id}`
}

const splitRow = <N extends ContentName>([row]: readonly ContentRow<N>[], realm_id: number) => {
  if (row === undefined) throw new Error(`realm ${realm_id} has no log`)
  const { seq, evicted = [], ...content } = row
  return { seq, content: content as unknown as Pick<Content, N>, evicted }
}

interface Reader {
  realm_id: number
  user_id: number
}

type Part = (sql: Sql, reader: Reader) => Fragment

/** Bits as a literal, as in the definition of a partial index: the planner cannot match a parameter with it. */
const inlineBits = (sql: Sql, bits: number): Fragment => sql.unsafe(String(bits))

/** Mentions of the reader, or of a group that contains the reader. */
const byName = Flag.mentioned | Flag.group_mentioned

/** Greater than every message id. */
const noEnd = (sql: Sql): Fragment => sql.unsafe('9223372036854775807')

// The limits inside the lateral joins also hold the planner to the indexes: one probe per channel, conversation or row.
// The newest messages of a channel are those of a range of (channel_id, id), in its order, which only the index of
// channels has. With `channel_id = …` and the order of ids, the planner may walk through the newest ids of the whole
// realm instead, when its statistics are old: for each channel without messages it would then read all messages.
const parts: { readonly [N in ContentName]: Part } = {
  // The newest message that the reader received: the realm's newest id would reveal activity in other conversations.
  // Indexes: messages_channel, messages_origin, messages_dm.
  last_message_id: (sql, { realm_id, user_id }) => sql`
    select coalesce(max(id), 0) from (
      select m.id
      from membership_spans s cross join lateral (
        select id from messages
        where realm_id = ${realm_id} and channel_id is not null and origin_channel_id is null
          and (channel_id, id) >= (s.channel_id, s.from_message)
          and (channel_id, id) < (s.channel_id, coalesce(s.to_message, ${noEnd(sql)}))
        order by channel_id desc, id desc limit 1
      ) m
      where s.realm_id = ${realm_id} and s.user_id = ${user_id}
      union all
      select m.id
      from membership_spans s cross join lateral (
        select id from messages
        where realm_id = ${realm_id} and origin_channel_id is not null
          and (origin_channel_id, id) >= (s.channel_id, s.from_message)
          and (origin_channel_id, id) < (s.channel_id, coalesce(s.to_message, ${noEnd(sql)}))
        order by origin_channel_id desc, id desc limit 1
      ) m
      where s.realm_id = ${realm_id} and s.user_id = ${user_id}
      union all
      select m.id
      from dm_members d cross join lateral (
        select id from messages
        where realm_id = ${realm_id} and dm_id is not null
          and (dm_id, id) > (d.dm_id, 0::bigint) and (dm_id, id) < (d.dm_id, ${noEnd(sql)})
        order by dm_id desc, id desc limit 1
      ) m
      where d.realm_id = ${realm_id} and d.user_id = ${user_id}
    ) newest`,

  // Indexes: messages_channel, then keys.
  unread_topics: (sql, reader) => sql`
    with own as (
      select s.channel_id as place, s.is_muted, r.read_up_to
      from subscriptions s join channel_reads r using (realm_id, user_id, channel_id)
      where s.realm_id = ${reader.realm_id} and s.user_id = ${reader.user_id} and s.active
    ), ${defineUnread(sql, reader, sql`channel_id`)}, topics as (
      select place, lower(topic) as folded, max(id) as last, json_agg(id order by id) as ids,
        coalesce(json_agg(id) filter (where flags & ${byName} <> 0), '[]') as mentions,
        coalesce(json_agg(id) filter (where flags & ${wildcardMentioned} <> 0), '[]') as wildcards
      from unread group by place, lower(topic)
    ), grouped as (
      select place as channel_id, coalesce(t.visibility_policy = 1, own.is_muted) as is_muted,
        (select topic from messages where realm_id = ${reader.realm_id} and id = topics.last) as topic,
        ids, mentions, wildcards
      from topics join own using (place)
      left join user_topics t on t.realm_id = ${reader.realm_id} and t.user_id = ${reader.user_id}
        and t.channel_id = place and lower(t.topic) = folded
    )
    select ${selectConversations(sql)}`,

  // Indexes: messages_dm, then keys.
  unread_direct: (sql, reader) => sql`
    with own as (
      select dm_id as place, read_up_to
      from dm_members where realm_id = ${reader.realm_id} and user_id = ${reader.user_id}
    ), ${defineUnread(sql, reader, sql`dm_id`)}, grouped as (
      select to_json(c.user_ids) as user_ids, json_agg(u.id order by u.id) as ids,
        coalesce(json_agg(u.id) filter (where u.flags & ${byName} <> 0), '[]') as mentions
      from unread u join dm_conversations c on c.realm_id = ${reader.realm_id} and c.id = u.place
      group by c.id, c.user_ids
    )
    select ${selectConversations(sql)}`,

  // Index: messages_dm.
  recent_direct: (sql, { realm_id, user_id }) => sql`
    with recent as (
      select d.dm_id, m.id
      from dm_members d cross join lateral (
        select id from messages
        where realm_id = ${realm_id} and dm_id is not null
          and (dm_id, id) > (d.dm_id, 0::bigint) and (dm_id, id) < (d.dm_id, ${noEnd(sql)})
        order by dm_id desc, id desc limit 1
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
      where realm_id = ${realm_id} and user_id = ${user_id} and flags & ${inlineBits(sql, Flag.starred)} <> 0
      order by message_id desc limit ${limits.max_starred_messages}
    ) newest`,

  navigation_views: (sql, { realm_id, user_id }) => sql`
    select coalesce(
      json_agg(json_build_object('fragment', fragment, 'is_pinned', is_pinned, 'name', name) order by fragment), '[]')
    from navigation_views where realm_id = ${realm_id} and user_id = ${user_id}`,

  // Index: key.
  presence: (sql, { realm_id }) => sql`
    select coalesce(json_agg(json_build_object(
      'user_id', user_id, 'active_at', active_at, 'connected_at', connected_at, 'update_id', update_id)), '[]')
    from presence
    where realm_id = ${realm_id}
      and connected_at >= extract(epoch from now()) - ${limits.presence_history_days * 86_400}`,

  // Index: drafts_user.
  drafts: (sql, { realm_id, user_id }) => sql`
    select coalesce(json_agg(newest order by newest.timestamp desc, newest.id desc), '[]')
    from (
      select id, type, "to", topic, content, timestamp from drafts
      where realm_id = ${realm_id} and user_id = ${user_id}
      order by timestamp desc, id desc limit ${limits.max_registered_drafts}
    ) newest`,

  // Index: scheduled_messages_user.
  scheduled_messages: (sql, { realm_id, user_id }) => sql`
    select coalesce(json_agg(json_strip_nulls(json_build_object(
      'scheduled_message_id', s.id, 'type', case when s.channel_id is null then 'private' else 'stream' end,
      'to', coalesce(to_json(s.channel_id), to_json(s.user_ids)),
      'topic', case when s.channel_id is not null then s.topic end, 'content', s.content,
      'rendered_content', s.rendered_content, 'scheduled_delivery_timestamp', s.deliver_at, 'failed', s.failed
    )) order by s.deliver_at, s.id), '[]')
    from scheduled_messages s
    where s.realm_id = ${realm_id} and s.user_id = ${user_id}`,

  // Index: saved_snippets_user.
  saved_snippets: (sql, { realm_id, user_id }) => sql`
    select coalesce(json_agg(own order by own.id), '[]')
    from (
      select id, title, content, date_created from saved_snippets
      where realm_id = ${realm_id} and user_id = ${user_id}
    ) own`,

  // Index: key.
  onboarding_seen: (sql, { realm_id, user_id }) => sql`
    select coalesce(json_agg(step order by step), '[]')
    from onboarding_steps where realm_id = ${realm_id} and user_id = ${user_id}`,

  // Index: user_topics_key.
  user_topics: (sql, { realm_id, user_id }) => sql`
    select coalesce(json_agg(json_build_object(
      'stream_id', t.channel_id, 'topic_name', t.topic, 'last_updated', t.last_updated,
      'visibility_policy', t.visibility_policy
    ) order by t.channel_id, lower(t.topic)), '[]')
    from user_topics t join channels c on c.realm_id = t.realm_id and c.id = t.channel_id and not c.is_archived
    where t.realm_id = ${realm_id} and t.user_id = ${user_id}`,

  partners: (sql, reader) =>
    sql`select coalesce(json_agg(user_id), '[]') from (${selectPartners(sql, reader)}) partner`,
}

/**
 * Defines the table `unread` of a statement that has `own`: the reader's channels or conversations with read pointers
 * (2). At most `max_unread_messages` messages after the pointers are examined, the newest ones: a scan of ids finds the
 * oldest of them (`newest`, `edge`), and then each channel or conversation is read from that id on.
 * @param place the column of messages with the id of the channel or conversation
 */
const defineUnread = (sql: Sql, { realm_id, user_id }: Reader, place: Fragment): Fragment => sql`
  newest as materialized (
    select m.id
    from own cross join lateral (
      select id from messages
      where realm_id = ${realm_id} and ${place} is not null
        and (${place}, id) > (own.place, own.read_up_to) and (${place}, id) < (own.place, ${noEnd(sql)})
      order by ${place} desc, id desc limit ${limits.max_unread_messages}
    ) m
    order by m.id desc limit ${limits.max_unread_messages}
  ), edge as materialized (
    select min(id) as id, count(*) as ids from newest
  ), flagged as materialized (
    ${selectFlagsFromEdge(sql, { realm_id, user_id })}
  ), again as materialized (
    select f.message_id as id, f.flags from message_flags f
    where f.realm_id = ${realm_id} and f.user_id = ${user_id} and f.flags & ${inlineBits(sql, rowOnlyFlags)} <> 0
      and f.flags & ${Flag.unread} <> 0
  ), later as materialized (
    select own.place, m.id, m.topic, m.has_wildcard,
      ${wasReadWhenSent(sql, user_id)} or ${isReadByMove(sql, { realm_id, user_id })} as is_read
    from own cross join lateral (
      select id, topic, sender_id, sender_read, read_by_all, channel_id, dm_id, origin_channel_id, has_wildcard
      from messages
      where realm_id = ${realm_id} and ${place} is not null
        and (${place}, id) >= (own.place, greatest(own.read_up_to + 1, (select id from edge)))
        and (${place}, id) < (own.place, ${noEnd(sql)})
      order by ${place}, id limit ${limits.max_unread_messages}
    ) m
  ), found as (
    select place, id, topic, has_wildcard, coalesce(flags, 0) as flags
    from later left join flagged using (id)
    where coalesce(flags, 0) & ${Flag.unread} <> 0 or (coalesce(flags, 0) & ${Flag.read} = 0 and not is_read)
    union all
    select own.place, m.id, m.topic, m.has_wildcard, again.flags
    from again cross join lateral (
      select id, ${place} as place, topic, has_wildcard from messages
      where realm_id = ${realm_id} and id = again.id limit 1
    ) m join own on own.place = m.place and m.id <= own.read_up_to
  ), unread as (
    select place, id, topic, flags | case when has_wildcard then coalesce((
      select e.flags from message_flags e
      where e.realm_id = ${realm_id} and e.user_id = ${everySubscriber} and e.message_id = found.id
    ), 0) else 0 end as flags
    from found
  )`

/** The flags that a registration needs of unread messages. */
const relevantFlags = Flag.read | Flag.unread | anyMention

/**
 * From this many messages on, one scan of the reader's flags since the first message is cheaper than single lookups.
 */
const MANY = 1_000

/** The reader's flags of the messages in `newest`, and maybe of others. Index: key. */
const selectFlagsFromEdge = (sql: Sql, { realm_id, user_id }: Reader): Fragment => sql`
  select f.message_id as id, f.flags from message_flags f
  where f.realm_id = ${realm_id} and f.user_id = ${user_id} and f.message_id >= (select id from edge)
    and f.flags & ${relevantFlags} <> 0 and (select ids from edge) >= ${MANY}
  union all
  select newest.id, f.flags
  from newest cross join lateral (
    select flags from message_flags
    where realm_id = ${realm_id} and user_id = ${user_id} and message_id = newest.id limit 1
  ) f
  where (select ids from edge) < ${MANY}`

/** The result of a statement with `grouped` and `edge`. */
const selectConversations = (sql: Sql): Fragment => sql`
  json_build_object(
    'conversations', coalesce((select json_agg(grouped) from grouped), '[]'),
    'is_cut', (select ids from edge) >= ${limits.max_unread_messages}
  )`

/** The other users in the reader's conversations that have at least one message. Index: messages_dm. */
const selectPartners = (sql: Db, { realm_id, user_id }: Reader) => sql`
  select distinct other.user_id
  from dm_members d join dm_members other using (realm_id, dm_id)
  where d.realm_id = ${realm_id} and d.user_id = ${user_id} and other.user_id <> ${user_id}
    and exists (select from messages m where m.realm_id = ${realm_id} and m.dm_id = d.dm_id)`

/** Ids of the users who share a direct conversation with messages with this account. */
export const loadPartnerIds = async (sql: Db, realm_id: number, user_id: number): Promise<number[]> => {
  const rows = await sql<{ user_id: number }[]>`${selectPartners(sql, { realm_id, user_id })}`
  return rows.map((row) => row.user_id)
}
