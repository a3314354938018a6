/**
 * Ranges of message ids: the channels, topics and conversations of one reader, each with the ids between which the
 * reader received its messages. And the plan that reads one page from many ranges.
 */
import { mutedChannels } from '../../../domain/messages/reading.js'
import type { Fragment } from '../../sql.js'
import { isReceivedAndReadable, keptMessage, selectConversationId } from './conditions.js'
import { allowedChannels, hasCondition, MAX_ID, type PageQuery, type SourcePlan } from './page-query.js'

/** Rows (place, first, past): the ids [first, past) of a channel or conversation. */
export interface IdRanges {
  name: Fragment
  rows: Fragment
  /** whether `m` is in the place `p`, written as the index has it */
  at: Fragment
  /** further conditions of `m`, beginning with `and` */
  which?: Fragment
}

/** Whether `m` is in the channel or conversation `p`. The index by sender has conversations as negative ids. */
const matchesPlace = (pageQuery: PageQuery, column: 'channel_id' | 'dm_id'): Fragment => {
  const { sql } = pageQuery
  if (!hasCondition(pageQuery, 'sender')) return sql`m.${sql(column)} = p.place`
  return sql`coalesce(m.channel_id, -m.dm_id) = ${column === 'dm_id' ? sql`-p.place` : sql`p.place`}`
}

/** Selects all ids of the channels that the narrow names. This includes ids before the reader subscribed. */
export const namedChannelRanges = (pageQuery: PageQuery): IdRanges => {
  const { sql, channels = [] } = pageQuery
  return {
    name: sql`named`,
    at: matchesPlace(pageQuery, 'channel_id'),
    rows: sql`
      select place, 0::bigint as first, ${MAX_ID}::bigint as past
      from unnest(${channels as number[]}::int[]) as place`,
  }
}

/**
 * Selects the ids of each channel between which the reader was subscribed. It leaves out messages that were moved into
 * the channel.
 */
export const membershipRanges = (pageQuery: PageQuery): IdRanges => {
  const { sql } = pageQuery
  return {
    name: sql`spans`,
    at: matchesPlace(pageQuery, 'channel_id'),
    which: sql`and m.origin_channel_id is null`,
    rows: selectSpans(pageQuery, allowedChannels(pageQuery), excludeMuted(pageQuery)),
  }
}

const selectSpans = (pageQuery: PageQuery, among: readonly number[], more: Fragment): Fragment => {
  const { sql, realm_id, user_id } = pageQuery
  const first = hasCondition(pageQuery, 'unread')
    ? sql`greatest(s.from_message, coalesce(r.read_up_to, 0) + 1)`
    : sql`s.from_message`
  return sql`
    select s.channel_id as place, ${first} as first, coalesce(s.to_message, ${MAX_ID}) as past
    from membership_spans s left join channel_reads r
      on r.realm_id = s.realm_id and r.user_id = s.user_id and r.channel_id = s.channel_id
    where s.realm_id = ${realm_id} and s.user_id = ${user_id} and s.channel_id = any(${among as number[]}::int[])
      ${more}`
}

/**
 * Selects received messages that are in another channel now. The reader received them in one channel before
 * (moved-flag-rows.ts).
 * Index: messages_origin.
 */
export const movedMessageRanges = (pageQuery: PageQuery): IdRanges => {
  const { sql, user_id } = pageQuery
  return {
    name: sql`origins`,
    at: sql`m.origin_channel_id = p.place`,
    which: sql`and m.channel_id = any(${allowedChannels(pageQuery)}::int[]) and ${keptMessage(sql, user_id)}`,
    rows: selectReceivedSpans(pageQuery),
  }
}

/**
 * Wildcard mentions, by the channel or conversation to which they were sent. Index: messages_wildcard.
 * @param more further conditions, beginning with `and`
 */
export const wildcardRanges = (pageQuery: PageQuery, more: Fragment): IdRanges => {
  const { sql, realm_id, user_id, isReadable } = pageQuery
  return {
    name: sql`called`,
    at: sql`m.has_wildcard and coalesce(m.origin_channel_id, m.channel_id, -m.dm_id) = p.place`,
    which: sql`and ${isReadable} and ${keptMessage(sql, user_id)} ${more}`,
    rows: sql`
      ${selectReceivedSpans(pageQuery)}
      union all
      select -dm_id, 0, ${MAX_ID}::bigint from dm_members where realm_id = ${realm_id} and user_id = ${user_id}`,
  }
}

/** Every channel in which the reader has received messages. */
const selectReceivedSpans = ({ sql, realm_id, user_id }: PageQuery): Fragment => sql`
  select s.channel_id as place, s.from_message as first, coalesce(s.to_message, ${MAX_ID}) as past
  from membership_spans s where s.realm_id = ${realm_id} and s.user_id = ${user_id}`

/** Visibility policies of topics (protocol/messages.md 5.3). */
export const [MUTED, FOLLOWED] = [1, 3]

/** Topics for which the reader has this policy. Index: messages_topic. */
export const topicRanges = (pageQuery: PageQuery, policy: number): IdRanges => {
  const { sql, realm_id, user_id } = pageQuery
  const first = hasCondition(pageQuery, 'unread') ? sql`coalesce(r.read_up_to, 0) + 1` : sql`0::bigint`
  return {
    name: sql`topics`,
    at: sql`m.channel_id = p.place and lower(m.topic) = p.topic`,
    which: sql`and ${isReceivedAndReadable(pageQuery, pageQuery.readable)}`,
    rows: sql`
      select t.channel_id as place, lower(t.topic) as topic, ${first} as first, ${MAX_ID}::bigint as past
      from user_topics t left join channel_reads r
        on r.realm_id = t.realm_id and r.user_id = t.user_id and r.channel_id = t.channel_id
      where t.realm_id = ${realm_id} and t.user_id = ${user_id} and t.visibility_policy = ${policy}
        and t.channel_id = any(${allowedChannels(pageQuery)}::int[])`,
  }
}

/** The channels that the reader has muted as a whole. */
export const mutedChannelRanges = (pageQuery: PageQuery): IdRanges[] => {
  const { state, reader, narrow } = pageQuery
  if (
    reader === undefined ||
    narrow.conditions.some((condition) => condition.test === 'muted' && !condition.negated && condition.inChannel)
  ) {
    return []
  }
  const among = new Set(allowedChannels(pageQuery))
  const muted = mutedChannels(state, reader).filter((id) => among.has(id))
  return [
    { ...membershipRanges(pageQuery), rows: selectSpans(pageQuery, muted, pageQuery.sql``) },
    movedMessageRanges(pageQuery),
  ]
}

/** Excludes muted channels, except those in which the reader has a policy for a topic. */
const excludeMuted = ({ sql, realm_id, user_id, state, reader, narrow }: PageQuery): Fragment => {
  if (reader === undefined) return sql``
  return narrow.conditions.reduce((before, condition) => {
    if (condition.test !== 'muted' || condition.inChannel || !condition.negated) return before
    return sql`${before} and (not s.channel_id = any(${mutedChannels(state, reader)}::int[]) or exists (
      select from user_topics t
      where t.realm_id = ${realm_id} and t.user_id = ${user_id} and t.channel_id = s.channel_id
    ))`
  }, sql``)
}

/** The conversations that the conditions allow. */
export const conversationRanges = (pageQuery: PageQuery): IdRanges => {
  const { sql, realm_id, user_id, narrow } = pageQuery
  const which = narrow.conditions.reduce((before, condition) => {
    if (condition.negated) return before
    if (condition.test === 'conversation') {
      return sql`${before} and dm_id = (${selectConversationId(pageQuery, condition.user_ids)})`
    }
    if (condition.test !== 'direct-with') return before
    return sql`${before} and dm_id in (
      select d.dm_id from dm_members d where d.realm_id = ${realm_id} and d.user_id = ${condition.user_id}
    )`
  }, sql``)
  const first = hasCondition(pageQuery, 'unread') ? sql`read_up_to + 1` : sql`0::bigint`
  return {
    name: sql`conversations`,
    at: matchesPlace(pageQuery, 'dm_id'),
    rows: sql`
      select dm_id as place, ${first} as first, ${MAX_ID}::bigint as past
      from dm_members where realm_id = ${realm_id} and user_id = ${user_id} ${which}`,
  }
}

/** Up to this limit, a page is read with its full limit from every range. */
const LARGE_PAGE = 10

/**
 * Plans how one page is read from all ranges.
 * Indexes, once per range: messages_channel, messages_topic, messages_dm, messages_sender_place, messages_origin.
 *
 * With many ranges, one full page from each would read a hundred times the rows of the answer. So a few rows from each
 * bound the page (`edge`), and then each range is read only up to that bound.
 */
export const planFromRanges = (pageQuery: PageQuery, ranges: readonly IdRanges[], areMany: boolean): SourcePlan => {
  const { sql, realm_id, where, order, within, limit } = pageQuery
  const from = ({ name, at, which = sql`` }: IdRanges, rest: Fragment) => sql`
    select found.id from ${name} p cross join lateral (
      select m.id from messages m
      where m.realm_id = ${realm_id} and ${at} and m.id >= p.first and m.id < p.past
        ${which} ${where} ${rest}
    ) found`
  const lists = ranges.map(({ name, rows }) => sql`${name} as materialized (${rows})`)
  if (!areMany || limit <= LARGE_PAGE) {
    const page = sql`order by m.id ${order} limit ${limit}`
    return { tables: lists, sources: ranges.map((one) => from(one, page)) }
  }
  const counts = ranges
    .map(({ name }) => sql`(select count(*) from ${name})`)
    .reduce((sum, count) => sql`${sum} + ${count}`)
  const few = sql`order by m.id ${order} limit (select few from share)`
  const heads = ranges.map((one) => from(one, few)).reduce((all, one) => sql`${all} union all ${one}`)
  const near = sql`and m.id ${within(sql`edge`)} order by m.id ${order} limit ${limit}`
  return {
    tables: [
      ...lists,
      sql`share as materialized (select 2 + 2 * ${limit} / (1 + ${counts}) as few)`,
      sql`heads as materialized (${heads})`,
      sql`edge as materialized (select id from heads order by id ${order} limit 1 offset ${limit - 1})`,
    ],
    sources: ranges.map((one) => from(one, near)),
  }
}
