/**
 * The database part of a registration: the user's content that is not in memory.
 *
 * 1. One statement reads all of it. A statement sees one snapshot of the database in any isolation level, so the log
 *    position that it reads matches the content exactly, and no transaction is needed.
 */

import { limits } from '../../domain/limits/limits.js'
import { Role } from '../../domain/log/rows.js'
import { Flag } from '../../domain/messages/flags.js'
import type { Content, ContentName } from '../../domain/register/snapshot-request.js'
import type { ReaderFacts } from '../../domain/register/unread-topics.js'
import { keptMessage } from '../messages/narrow/conditions.js'
import type { Db, Fragment, Sql } from '../sql.js'
import { evictQueues, insertQueue, type NewQueue } from './event-queues.js'
import {
  inlineBits,
  type MessagesInMemory,
  noEnd,
  type Reader,
  selectReaderFacts,
  selectUnreadDirect,
  selectUnreadTopics,
} from './unread-content.js'

/** The parts of the content, and the log position at which they were read. */
interface LoadedContent<N extends ContentName> {
  seq: number
  content: Pick<Content, N>
  /** instead of `unread_topics`, if messages are in memory */
  facts?: ReaderFacts
}

/**
 * Loads these parts of the content.
 * @param inMemory the messages that this process has: of `unread_topics`, only the facts about the reader are loaded
 */
export const loadContent = async <N extends ContentName>(
  sql: Sql,
  realm_id: number,
  user_id: number,
  needs: readonly N[],
  inMemory?: MessagesInMemory,
): Promise<LoadedContent<N>> =>
  splitRow<N>(await sql<ContentRow<N>[]>`${selectContent(sql, { realm_id, user_id }, needs, { inMemory })}`, realm_id)

interface ContentOptions {
  /** as for loadContent */
  inMemory?: MessagesInMemory | undefined
  /** `presence`: of users who were connected within so many days */
  presence_days?: number | undefined
  /** `starred`: private channels that the reader may read without a subscription */
  granted?: readonly number[]
}

/** Loads these parts likewise for a snapshot that no queue follows. */
export const loadDetachedContent = async <N extends ContentName>(
  sql: Sql,
  reader: Pick<NewQueue, 'realm_id' | 'user_id' | 'profile'>,
  needs: readonly N[],
  options: ContentOptions,
): Promise<LoadedContent<N>> =>
  splitRow<N>(await sql<ContentRow<N>[]>`${selectContent(sql, toReader(reader), needs, options)}`, reader.realm_id)

/**
 * Loads these parts likewise, and writes the row of a new queue. One statement does both, with the same log position.
 * @returns also the ids of the queues that were deleted because the account had too many
 */
export const openWithContent = async <N extends ContentName>(
  sql: Sql,
  queue: NewQueue,
  needs: readonly N[],
  options: ContentOptions,
): Promise<LoadedContent<N> & { evicted: readonly string[] }> =>
  splitRow<N>(
    await sql<ContentRow<N>[]>`
      with content as materialized (${selectContent(sql, toReader(queue), needs, options)}),
        opened as (${insertQueue(sql, queue)}), evicted as (${evictQueues(sql, queue)})
      select *, array(select id::text from evicted) as evicted from content`,
    queue.realm_id,
  )

const toReader = ({
  realm_id,
  user_id,
  profile: { archived_channels },
}: Pick<NewQueue, 'realm_id' | 'user_id' | 'profile'>): Reader => ({
  realm_id,
  user_id,
  archived_channels,
})

type ContentRow<N extends ContentName> = Pick<Content, N> & {
  seq: number
  reader_facts?: ReaderFacts
  evicted?: readonly string[]
}

const selectContent = (
  sql: Sql,
  who: Reader,
  needs: readonly ContentName[],
  { inMemory, presence_days = limits.presence_history_days, granted = [] }: ContentOptions,
): Fragment => {
  const columns = needs.map((name) =>
    name === 'unread_topics' && inMemory !== undefined
      ? sql`, (${selectReaderFacts(sql, who, inMemory)}) as reader_facts`
      : sql`, (${parts[name](sql, who, { presence_days, granted })}) as ${sql(name as string)}`,
  )
  return sql`select log_seq as seq ${columns} from log_heads where realm_id = ${who.realm_id}`
}

const splitRow = <N extends ContentName>([row]: readonly ContentRow<N>[], realm_id: number) => {
  if (row === undefined) throw new Error(`realm ${realm_id} has no log`)
  const { seq, reader_facts: facts, evicted = [], ...content } = row
  return { seq, content: content as unknown as Pick<Content, N>, evicted, ...(facts === undefined ? {} : { facts }) }
}

type Part = (sql: Sql, reader: Reader, options: { presence_days: number; granted: readonly number[] }) => Fragment

/** So many of the realm's newest messages are examined before the reader's channels and conversations. */
const NEWEST = 50

/**
 * Selects the newest message that the reader received: the realm's newest id would reveal activity in other
 * conversations. Most readers received one of the realm's newest messages; only for the others, the newest one of each
 * channel and conversation is looked up. Indexes: keys, then messages_channel, messages_origin, messages_dm.
 */
const selectLastMessageId: Part = (sql, reader) => {
  const { realm_id, user_id } = reader
  const kept = keptMessage(sql, user_id)
  return sql`
  select coalesce(
    (
      select m.id
      from (
        select id, coalesce(origin_channel_id, channel_id) as channel_id, dm_id, kept_by, lost_by from messages
        where realm_id = ${realm_id} order by id desc limit ${NEWEST}
      ) m
      where (${kept} and exists (
        select from membership_spans s
        where s.realm_id = ${realm_id} and s.user_id = ${user_id} and s.channel_id = m.channel_id
          and m.id >= s.from_message and m.id < coalesce(s.to_message, ${noEnd(sql)})
      )) or exists (
        select from dm_members d
        where d.realm_id = ${realm_id} and d.user_id = ${user_id} and d.dm_id = m.dm_id
      )
      order by m.id desc limit 1
    ), (
      select max(id) from (
        ${selectNewestPerSpan(sql, reader, sql`channel_id`, sql`channel_id is not null and origin_channel_id is null`)}
        union all
        ${selectNewestPerSpan(sql, reader, sql`origin_channel_id`, sql`origin_channel_id is not null and ${kept}`)}
        union all
        select m.id
        from dm_members d cross join lateral (
          select id from messages
          where realm_id = ${realm_id} and dm_id is not null
            and (dm_id, id) > (d.dm_id, 0::bigint) and (dm_id, id) < (d.dm_id, ${noEnd(sql)})
          order by dm_id desc, id desc limit 1
        ) m
        where d.realm_id = ${realm_id} and d.user_id = ${user_id}
      ) newest
    ), 0
  )`
}

/**
 * Selects the newest message of each membership span.
 * @param place the column with the channel in which they were sent
 * @param isThere the condition that only messages with this column fulfil
 */
const selectNewestPerSpan = (sql: Sql, { realm_id, user_id }: Reader, place: Fragment, isThere: Fragment): Fragment =>
  sql`
  select m.id
  from membership_spans s cross join lateral (
    select id from messages m
    where realm_id = ${realm_id} and ${isThere}
      and (${place}, id) >= (s.channel_id, s.from_message)
      and (${place}, id) < (s.channel_id, coalesce(s.to_message, ${noEnd(sql)}))
    order by ${place} desc, id desc limit 1
  ) m
  where s.realm_id = ${realm_id} and s.user_id = ${user_id}`

// The limits inside the lateral joins also hold the planner to the indexes (unread-content.ts).
const parts: { readonly [N in ContentName]: Part } = {
  last_message_id: selectLastMessageId,

  unread_topics: selectUnreadTopics,
  unread_direct: selectUnreadDirect,

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

  starred: (sql, reader, { granted }) => selectStarred(sql, reader, granted),

  navigation_views: (sql, { realm_id, user_id }) => sql`
    select coalesce(
      json_agg(json_build_object('fragment', fragment, 'is_pinned', is_pinned, 'name', name) order by fragment collate "C"), '[]')
    from navigation_views where realm_id = ${realm_id} and user_id = ${user_id}`,

  // Index: key.
  presence: (sql, { realm_id }, { presence_days }) => sql`
    select coalesce(json_agg(json_build_object(
      'user_id', user_id, 'active_at', active_at, 'connected_at', connected_at, 'update_id', update_id)), '[]')
    from presence
    where realm_id = ${realm_id}
      and connected_at >= extract(epoch from now()) - ${presence_days * 86_400}`,

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
    select coalesce(json_agg(step order by step collate "C"), '[]')
    from onboarding_steps where realm_id = ${realm_id} and user_id = ${user_id}`,

  // Index: user_topics_key.
  user_topics: (sql, { realm_id, user_id }) => sql`
    select coalesce(json_agg(json_build_object(
      'stream_id', t.channel_id, 'topic_name', t.topic, 'last_updated', t.last_updated,
      'visibility_policy', t.visibility_policy
    ) order by t.channel_id, lower(t.topic) collate "C"), '[]')
    from user_topics t join channels c on c.realm_id = t.realm_id and c.id = t.channel_id and not c.is_archived
    where t.realm_id = ${realm_id} and t.user_id = ${user_id}`,

  partners: (sql, reader) =>
    sql`select coalesce(json_agg(user_id), '[]') from (${selectPartners(sql, reader)}) partner`,
}

/**
 * Selects the reader's starred messages in conversations and in channels that the reader may read, as hasContentAccess
 * (domain/permissions/channel-access.ts) says. Indexes: message_flags_starred, then keys.
 */
const selectStarred = (sql: Sql, reader: Reader, granted: readonly number[]): Fragment => {
  const { realm_id, user_id, archived_channels = true } = reader
  return sql`
    select coalesce(json_agg(message_id order by message_id), '[]')
    from (
      select f.message_id
      from message_flags f cross join lateral (
        select channel_id from messages where realm_id = ${realm_id} and id = f.message_id limit 1
      ) m
      where f.realm_id = ${realm_id} and f.user_id = ${user_id} and f.flags & ${inlineBits(sql, Flag.starred)} <> 0
        and (m.channel_id is null or exists (
          select from channels c
          where c.realm_id = ${realm_id} and c.id = m.channel_id
            ${archived_channels ? sql`` : sql`and not c.is_archived`}
            and (c.is_web_public or c.id = any(${granted as number[]}::int[]) or exists (
              select from subscriptions s
              where s.realm_id = ${realm_id} and s.user_id = ${user_id} and s.channel_id = c.id and s.active
              offset 0
            ) or (not c.invite_only and exists (
              select from users u
              where u.realm_id = ${realm_id} and u.id = ${user_id} and u.role < ${Role.guest}
              offset 0
            )))
          offset 0
        ))
      order by f.message_id desc limit ${limits.max_starred_messages}
    ) newest`
}

/** The other users in the reader's conversations that have at least one message. Index: messages_dm. */
const selectPartners = (sql: Db, { realm_id, user_id }: Reader) => sql`
  select distinct other.user_id
  from dm_members d join dm_members other using (realm_id, dm_id)
  where d.realm_id = ${realm_id} and d.user_id = ${user_id} and other.user_id <> ${user_id}
    and exists (select from messages m where m.realm_id = ${realm_id} and m.dm_id = d.dm_id)`

/** Loads the ids of the users who share a direct conversation with this account. The conversation has messages. */
export const loadPartnerIds = async (sql: Db, realm_id: number, user_id: number): Promise<number[]> => {
  const rows = await sql<{ user_id: number }[]>`${selectPartners(sql, { realm_id, user_id })}`
  return rows.map((row) => row.user_id)
}
