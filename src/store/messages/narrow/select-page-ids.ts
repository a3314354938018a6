/**
 * Selects the ids of one page of a narrow.
 *
 * Ids come from sources, each of which yields ids in the order of an index; the page is the first ids of their union.
 * So the cost grows with the reader's own channels, conversations and flags, and never with messages of other users:
 *
 * 1. The query has ids: these messages, with a check for each that the reader received it.
 * 2. History (protocol/messages.md 1.6): all messages of the named channels.
 * 3. The narrow searches words: see search-words.ts.
 * 4. The narrow asks for a flag: the reader's flag rows, and wildcard mentions in channels and conversations of the
 *    reader.
 * 5. The narrow asks for mentions of a user: the flag rows of that user, with a check for each message that the reader
 *    received it.
 * 6. The narrow asks for followed or muted topics: these topics, with a check for each message that the reader
 *    received it.
 * 7. Otherwise: every membership span and every conversation (with a sender condition, only that sender's messages),
 *    and the flag rows for messages that the reader has in another way.
 *
 * The planner does not know the selectivity of a condition, and a wrong estimate makes it read a whole history. So
 * every source is written as a walk along one index with a look-up per step: Postgres runs a lateral query with its
 * own limit as it is written.
 */
import { anyMention, Flag, rowOnlyFlags } from '../../../domain/messages/flags.js'
import type { Condition } from '../../../domain/messages/narrow/narrow.js'
import type { Fragment, Sql } from '../../sql.js'
import { type IdWindow, isReceivedAndReadable, type NarrowQuery } from './conditions.js'
import {
  conversationRanges,
  FOLLOWED,
  type IdRanges,
  MUTED,
  membershipRanges,
  movedMessageRanges,
  mutedChannelRanges,
  namedChannelRanges,
  planFromRanges,
  topicRanges,
  wildcardRanges,
} from './id-ranges.js'
import { buildPageQuery, excludesDirect, hasCondition, MAX_ID, type PageQuery, type SourcePlan } from './page-query.js'
import { searchWords } from './search-words.js'
import { dropMisses, fillPage } from './undecided.js'

/** Ids of the messages in the narrow and the window, nearest to its edge first. */
export const selectPageIds = (query: NarrowQuery, window: IdWindow): Promise<number[]> => {
  const { narrow, ids } = query
  const search = narrow.conditions.find((condition) => condition.test === 'search' && !condition.negated)
  return search?.test === 'search' && ids === undefined
    ? searchWords(query, window, search, selectDecided)
    : selectDecided(query, window)
}

/** Selects without the index of words: it decides conditions that exclude words, or those of given messages. */
const selectDecided = (query: NarrowQuery, window: IdWindow): Promise<number[]> =>
  query.narrow.conditions.some(({ test }) => test === 'search')
    ? fillPage(
        window,
        (part) => selectFromSources(query, part),
        (ids) => dropMisses(query, ids),
      )
    : selectFromSources(query, window)

const selectFromSources = async (query: NarrowQuery, window: IdWindow): Promise<number[]> => {
  if (window.limit <= 0 || isContradictory(query.narrow.conditions)) return []
  const { sql } = query
  const pageQuery = buildPageQuery(query, window)
  const { tables, sources } = planSources(pageQuery)
  if (sources.length === 0) return []
  const joinFragments = (parts: readonly Fragment[], between: Fragment) =>
    parts.reduce((all, part) => sql`${all} ${between} ${part}`)
  const before = tables.length === 0 ? sql`` : sql`with ${joinFragments(tables, sql`,`)}`
  const union = joinFragments(
    sources.map((source) => sql`(${source})`),
    sql`union`,
  )
  const rows = await sql<{ id: number }[]>`
    ${before} select id from (${union}) as found order by id ${pageQuery.order} limit ${window.limit}`
  return rows.map(({ id }) => id)
}

/** Whether no message can match: an unknown conversation, or `muted` and its negation. */
const isContradictory = (conditions: readonly Condition[]): boolean =>
  conditions.some(
    (condition) =>
      !condition.negated &&
      ((condition.test === 'conversation' && condition.user_ids === null) ||
        (condition.test === 'muted' && conditions.some((other) => other.test === 'muted' && other.negated))),
  )

const planSources = (pageQuery: PageQuery): SourcePlan => {
  const { ids, narrow, channels = [] } = pageQuery
  if (ids !== undefined || hasCondition(pageQuery, 'id')) return { tables: [], sources: [selectGivenIds(pageQuery)] }
  for (const condition of narrow.conditions) {
    if (condition.test === 'mentions' && !condition.negated) return planMentions(pageQuery, condition.user_id)
  }
  if (narrow.includesHistory) return planFromRanges(pageQuery, [namedChannelRanges(pageQuery)], channels.length > 1)
  for (const condition of narrow.conditions) {
    if (condition.test === 'flag' && !condition.negated) return planFlagged(pageQuery, condition.flags)
  }
  if (hasCondition(pageQuery, 'followed'))
    return addFlagRows(pageQuery, planFromRanges(pageQuery, [topicRanges(pageQuery, FOLLOWED)], true))
  if (hasCondition(pageQuery, 'muted'))
    return addFlagRows(
      pageQuery,
      planFromRanges(pageQuery, [topicRanges(pageQuery, MUTED), ...mutedChannelRanges(pageQuery)], true),
    )
  const isDirect = hasCondition(pageQuery, 'direct', 'conversation', 'direct-with')
  const isChannel =
    pageQuery.channels !== undefined || hasCondition(pageQuery, 'topic', 'resolved') || excludesDirect(pageQuery)
  const ranges = [
    ...(isDirect ? [] : [membershipRanges(pageQuery), movedMessageRanges(pageQuery)]),
    ...(isChannel ? [] : [conversationRanges(pageQuery)]),
  ]
  // No direct message has a topic.
  if (ranges.length === 0) return { tables: [], sources: [] }
  return addFlagRows(
    pageQuery,
    planFromRanges(pageQuery, ranges, channels.length === 0 && !hasCondition(pageQuery, 'conversation')),
  )
}

/** Adds the messages that no range has: gained later, from outside a subscription, or marked as unread again. */
const addFlagRows = (pageQuery: PageQuery, { tables, sources }: SourcePlan): SourcePlan => ({
  tables,
  sources: [...sources, selectFlagRows(pageQuery, hasAnyFlag(pageQuery.sql, rowOnlyFlags))],
})

const selectGivenIds = (pageQuery: PageQuery): Fragment => {
  const { sql, realm_id, ids, narrow, where, order, limit } = pageQuery
  const given = ids === undefined ? sql`` : sql`and m.id = any(${ids as number[]}::bigint[])`
  const reach = narrow.includesHistory ? sql`` : sql`and ${isReceivedAndReadable(pageQuery, pageQuery.readable)}`
  return sql`
    select m.id from messages m where m.realm_id = ${realm_id} ${given} ${reach} ${where}
    order by m.id ${order} limit ${limit}`
}

/** Indexes: message_flags_starred, _mentioned or _alerted, then messages' key; messages_wildcard. */
const planFlagged = (pageQuery: PageQuery, flags: number): SourcePlan => {
  const { sql } = pageQuery
  const isUnread = hasCondition(pageQuery, 'unread')
  const late = (id: Fragment) => (isUnread ? sql`and ${id} >= (select id from unread)` : sql``)
  const own = selectFlagRows(pageQuery, sql`${hasAnyFlag(sql, flags)} ${late(sql`f.message_id`)}`)
  const unread = isUnread ? [sql`unread as materialized (${selectFirstAfterPointers(pageQuery)})`] : []
  const { tables, sources } =
    (flags & Flag.stream_wildcard_mentioned) === 0
      ? { tables: [], sources: [own] }
      : planWithWildcards(pageQuery, own, late)
  const plan = { tables: [...unread, ...tables], sources }
  return isUnread ? addFlagRows(pageQuery, plan) : plan
}

/**
 * Most users have more personal mentions than wildcard mentions: the page of the former bounds the scan of the latter.
 */
const planWithWildcards = (pageQuery: PageQuery, own: Fragment, late: (id: Fragment) => Fragment): SourcePlan => {
  const { sql, order, limit, within } = pageQuery
  const more = sql`and m.id ${within(sql`own_edge`)} ${late(sql`m.id`)}`
  const { tables, sources } = planFromRanges(pageQuery, [wildcardRanges(pageQuery, more)], true)
  return {
    tables: [
      sql`own as materialized (${own})`,
      sql`own_edge as materialized (select id from own order by id ${order} limit 1 offset ${limit - 1})`,
      ...tables,
    ],
    sources: [sql`select id from own`, ...sources],
  }
}

/** The number is a literal: with a parameter the planner cannot use the partial indexes of migration 0006. */
const hasAnyFlag = (sql: Sql, flags: number): Fragment => sql`f.flags & ${sql.unsafe(String(flags))} <> 0`

/** Messages that may mention this user. Index: message_flags_mentioned. */
const planMentions = (pageQuery: PageQuery, user_id: number): SourcePlan => {
  const { sql, narrow, readable } = pageQuery
  const reach = narrow.includesHistory ? sql`true` : isReceivedAndReadable(pageQuery, readable)
  return { tables: [], sources: [selectFlagRows(pageQuery, hasAnyFlag(sql, anyMention), { user_id, reach })] }
}

/**
 * Selects from the flag rows of a user.
 * @param which the condition of the flag rows
 * @param whose the user, and whether the reader may read `m`; default: the reader
 */
const selectFlagRows = (
  pageQuery: PageQuery,
  which: Fragment,
  whose: { user_id: number; reach: Fragment } = { user_id: pageQuery.user_id, reach: pageQuery.isReadable },
): Fragment => {
  const { sql, realm_id, where, edge, order, limit } = pageQuery
  const { user_id, reach } = whose
  return sql`
    select m.id from (
      select f.message_id as id from message_flags f
      where f.realm_id = ${realm_id} and f.user_id = ${user_id} and ${which} ${edge(sql`f.message_id`)}
      order by f.message_id ${order} offset 0
    ) f cross join lateral (
      select m.id from messages m
      where m.realm_id = ${realm_id} and m.id = f.id and ${reach} ${where}
      limit 1
    ) m
    order by f.id ${order} limit ${limit}`
}

/**
 * Selects the first message after the reader's pointers. Messages before it are read, unless a flag row says `unread`.
 */
const selectFirstAfterPointers = (pageQuery: PageQuery): Fragment => {
  const { sql, realm_id } = pageQuery
  const first = ({ rows }: IdRanges, column: Fragment) => sql`
    select min(found.id) from (${rows}) p cross join lateral (
      select m.id from messages m where m.realm_id = ${realm_id} and m.${column} = p.place and m.id >= p.first
      order by m.id limit 1
    ) found`
  return sql`
    select coalesce(
      least((${first(membershipRanges(pageQuery), sql`channel_id`)}), (${first(conversationRanges(pageQuery), sql`dm_id`)})), ${MAX_ID}
    ) as id`
}
