/**
 * The index of words for full-text search: all forms of the words of a message (domain/search/tokenize.ts).
 *
 * 1. A worker indexes messages after they were sent, in batches, up to a mark (index-messages.ts). Messages after the
 *    mark are undecided: a search reads their texts (undecided.ts), so it misses none.
 * 2. When the topic or the text of a message changes, a trigger empties its row: the message is undecided until a
 *    worker has indexed it again. So it holds for whatever changes a message, the previous release included.
 * 3. The index can have words of deleted messages: a search also checks that the message exists.
 * 4. Every word in the index has the realm's id as a prefix. A message also has two words for its buckets, which are
 *    ranges of neighbouring ids in two sizes. So a search for a common word reads only the hits near an edge, and not
 *    all hits of the realm.
 * 5. Words that begin with a few letters are looked up in the index only for a large part of the history, because
 *    Postgres then reads all of them. In a small part, each message of the buckets is compared.
 * 6. Messages of before the upgrade, which are not indexed yet, are searched in the words of the previous release
 *    (english-words.ts). Each message is decided by one of both, so a search and its negation never share a message.
 * 7. A message also matches if one of its files has all terms (file-hits.ts). Those of `m` are looked at only if it
 *    has a file, and those of other messages only if a file of the realm has the terms.
 *
 * Source: protocol/messages.md 1.8.
 */

import { composeQuery, narrowTerms } from '../../../domain/search/index-text.js'
import type { SearchQuery } from '../../../domain/search/query.js'
import type { Db, Fragment, Sql } from '../../sql.js'
import { bucketWord, LARGE, SMALL } from './buckets.js'
import { englishStems } from './english-words.js'
import { hasFile, hasFileOfMessage, selectFileHits } from './file-hits.js'

/**
 * A range of message ids of one realm, [from, to). `buckets`: the words of the buckets that it covers; undefined: all.
 */
export interface Stretch {
  from: number
  to: number
  buckets?: readonly string[]
  isSmall: boolean
}

/** Above every id. */
const MAX_ID = Number.MAX_SAFE_INTEGER

/** Builds the stretch from an edge downwards or upwards. It has at least one small or large bucket, or all ids. */
export const buildStretch = (
  realm_id: number,
  direction: 'down' | 'up',
  edge: number,
  size: 'small' | 'large' | 'all',
): Stretch => {
  const down = direction === 'down'
  const isSmall = size === 'small'
  if (size === 'all') return { from: down ? 0 : edge, to: down ? edge : MAX_ID, isSmall }
  const power = isSmall ? SMALL : LARGE
  const width = 2 ** power
  const first = Math.floor((down ? edge - 1 : edge) / width)
  const second = Math.max(0, down ? first - 1 : first + 1)
  const buckets = [first, second].map((bucket) => bucketWord(realm_id, power, bucket))
  return down
    ? { from: second * width, to: edge, buckets, isSmall }
    : { from: edge, to: (second + 1) * width, buckets, isSmall }
}

/** A search as the index takes it. */
export interface SearchTerms {
  query: SearchQuery
  /** the value of the type tsquery */
  all: string
  /** the same of those terms that name few words (5); empty: all do, or none does */
  few: string
  hasBroad: boolean
  /** the messages after it are indexed (6) */
  from: number
  /** the messages after it are undecided (1) */
  mark: number
  /** the words in the form of the previous release (6); empty: it finds nothing */
  english: readonly string[]
  /** whether a file has all terms (7) */
  isInFile: boolean
}

/** Loads the terms for a search. @param text as it was typed */
export const loadSearchTerms = async (
  sql: Sql,
  realm_id: number,
  query: SearchQuery,
  text: string,
): Promise<SearchTerms> => {
  const all = composeQuery(String(realm_id), query.terms)
  const [row] = await sql<Pick<SearchTerms, 'from' | 'mark' | 'english' | 'isInFile'>[]>`
    select ${markOf(sql, realm_id, 'from')} as from, ${markOf(sql, realm_id, 'up_to')} as mark,
      ${englishStems(sql, sql`${realm_id}::int`, sql`${text}`)} as english, ${hasFile(sql, all)} as "isInFile"`
  const { from = 0, mark = 0, english = [], isInFile = false } = row ?? {}
  const few = narrowTerms(query)
  const hasBroad = few.length < query.terms.length
  return {
    query,
    all,
    few: hasBroad ? composeQuery(String(realm_id), few) : '',
    hasBroad,
    from,
    mark,
    english,
    isInFile,
  }
}

/** A mark of the realm. Before a worker sets it, it is the one of the previous release (6). */
const markOf = (sql: Db, realm_id: number, mark: 'from' | 'up_to'): Fragment => sql`
  coalesce((
    select coalesce(${mark === 'from' ? sql`terms_from` : sql`terms_up_to`}, indexed_up_to)
    from search_marks where realm_id = ${realm_id}
  ), 0)`

/**
 * Selects the ids of messages in the stretch that have all terms or are undecided. It selects ids up to the mark.
 * Their column `is_undecided` tells them apart.
 */
export const selectHits = (sql: Db, realm_id: number, terms: SearchTerms, stretch: Stretch): Fragment => {
  const { all, few, hasBroad, from: indexedFrom, mark, english, isInFile } = terms
  const { from, buckets, isSmall } = stretch
  const to = Math.min(stretch.to, mark + 1)
  const isIn = (id: Fragment) => sql`${id} >= ${from} and ${id} < ${to}`
  // A function instead of the operator keeps Postgres from looking up words that begin with a few letters (5).
  const hasAll =
    isSmall && buckets !== undefined && hasBroad
      ? sql`${few === '' ? sql`true` : sql`terms @@ ${few}::tsquery`} and ts_match_vq(terms, ${all}::tsquery)`
      : sql`terms @@ ${all}::tsquery`
  const inBuckets =
    buckets === undefined ? sql`` : sql`and terms @@ ${buckets.map((bucket) => `'${bucket}'`).join(' | ')}::tsquery`
  // Left out if it selects nothing, because the planner would start parallel workers for it.
  const older =
    indexedFrom === 0 || from > indexedFrom || english.length === 0
      ? sql``
      : sql`
        union all
        select id, false from (
          select w.message_id as id from message_words w
          where w.words @> ${english as string[]}::text[]
            ${buckets === undefined ? sql`` : sql`and w.words && ${buckets as string[]}::text[]`}
          offset 0
        ) old
        where ${isIn(sql`id`)} and id <= ${indexedFrom} and not exists (
          select from message_terms t where t.realm_id = ${realm_id} and t.message_id = old.id
        )`
  // `offset 0` keeps the planner from listing the whole stretch by the table's key to intersect both lists.
  const hits = sql`
    select id, false as is_undecided from (
      select message_id as id from message_terms where ${hasAll} ${inBuckets} offset 0
    ) hit
    where ${isIn(sql`id`)}
    union all
    select message_id, true from message_terms
    where realm_id = ${realm_id} and terms is null and ${isIn(sql`message_id`)}
    ${older}`
  if (!isInFile) return hits
  // The file decides also where the text is undecided.
  return sql`
    select id, bool_and(is_undecided) as is_undecided from (
      ${hits} union all select id, false from (${selectFileHits(sql, realm_id, all, { ...stretch, to })}) file_hit
    ) both_hits
    group by id`
}

/** What an index knows of a message and a search. */
export const decision = { isMiss: 0, isHit: 1, isUndecided: 2 } as const

/** Composes the decision about the message with this id, as a number. The message is undecided by (1) and (2). */
export const decideByIndex = (
  sql: Db,
  realm_id: number,
  id: Fragment,
  { all, from, english, isInFile }: Pick<SearchTerms, 'all' | 'from' | 'english' | 'isInFile'>,
): Fragment =>
  decide(
    sql,
    { realm_id, id, all, isInFile: isInFile ? hasFileOfMessage(sql, realm_id, id, all) : undefined },
    from === 0 ? undefined : { from: sql`${from}::bigint`, english: sql`${english as string[]}::text[]` },
  )

/** The same for `m`, with a search that was not loaded. */
export const decideCondition = (
  sql: Db,
  realm_id: number,
  { text, query }: { text: string; query: SearchQuery },
): Fragment => {
  if (query.terms.length === 0) return sql`${decision.isMiss}::int`
  const all = composeQuery(String(realm_id), query.terms)
  const from = sql`(select ${markOf(sql, realm_id, 'from')})`
  const english = sql`(select ${englishStems(sql, sql`${realm_id}::int`, sql`${text}`)})`
  const isInFile = sql`m.has_attachment and ${hasFileOfMessage(sql, realm_id, sql`m.id`, all)}`
  return decide(sql, { realm_id, id: sql`m.id`, all, isInFile }, { from, english })
}

const decide = (
  sql: Db,
  { realm_id, id, all, isInFile }: { realm_id: number; id: Fragment; all: string; isInFile: Fragment | undefined },
  older: { from: Fragment; english: Fragment } | undefined,
): Fragment => {
  const { isMiss, isHit, isUndecided } = decision
  // An empty list of words, which every message has, finds nothing.
  const byOlder =
    older &&
    sql`
    case when ${id} <= ${older.from} then coalesce((
      select case when w.words @> nullif(${older.english}, '{}') then ${isHit}::int else ${isMiss}::int end
      from message_words w where w.realm_id = ${realm_id} and w.message_id = ${id}
    ), ${isMiss}::int) end,`
  const byFile = isInFile && sql`case when ${isInFile} then ${isHit}::int end,`
  return sql`coalesce(
    ${byFile ?? sql``}
    (
      select case when t.terms is null then ${isUndecided}::int when t.terms @@ ${all}::tsquery then ${isHit}::int else ${isMiss}::int end
      from message_terms t where t.realm_id = ${realm_id} and t.message_id = ${id}
    ),
    ${byOlder ?? sql``}
    ${isUndecided}::int
  )`
}

/** Whether no index knows the words of `m` (1, 2). */
export const isUndecided = (sql: Db, realm_id: number): Fragment => sql`
  coalesce(
    (select t.terms is null from message_terms t where t.realm_id = ${realm_id} and t.message_id = m.id),
    m.id > ${markOf(sql, realm_id, 'from')}
  )`
