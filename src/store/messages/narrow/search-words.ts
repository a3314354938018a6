/**
 * Selects the ids of a page of a narrow that searches for words, with two alternating scans.
 *
 * A common word is found fast among the messages of the rest of the narrow; a rare word is found fast in the index of
 * words. The selectivity for this reader is unknown before the query runs. So the two scans alternate from the edge,
 * with growing limits: the cost is a few times that of the cheaper scan, however long the history is.
 *
 * 1. Every id that a scan passed is decided:
 *    `edge` is the id that the page has reached, and the next scan begins there.
 * 2. When a stretch of the index had few hits, the query assumes the same density for the rest of the history and asks
 *    for all of it at once.
 * 3. The index knows messages up to a mark. After it, only the first of the two scans is used.
 */
import type { Condition } from '../../../domain/messages/narrow/narrow.js'
import { readableChannels } from '../../../domain/messages/reading.js'
import { type IdWindow, isReceivedAndReadable, matchesAll, type NarrowQuery } from './conditions.js'
import {
  buildStretch,
  decideByIndex,
  decision,
  loadSearchTerms,
  type SearchTerms,
  type Stretch,
  selectHits,
} from './search-index.js'
import { type Candidate, dropMisses, keepMatches } from './undecided.js'

type Search = Extract<Condition, { test: 'search' }>

/** Per step: the number of messages of the narrow to check, then the size of the stretch of the index. */
const searchSteps: readonly SearchStep[] = [
  { candidates: 500, size: 'small' },
  { candidates: 4_000, size: 'large' },
  { candidates: 32_000, size: 'all' },
]

interface SearchStep {
  candidates: number
  size: 'small' | 'large' | 'all'
}

/** The number of expected hits up to which the rest is read at once (2). */
const FEW_HITS = 2_000

/**
 * Ids of the messages that have the words, nearest to the window's edge first.
 * @param search the condition that asks for words, one of the narrow's
 * @param selectWithoutWords selects a page of a narrow without words
 * @param steps the last one must have the size `all`
 */
export const searchWords = async (
  query: NarrowQuery,
  window: IdWindow,
  search: Search,
  selectWithoutWords: (query: NarrowQuery, window: IdWindow) => Promise<number[]>,
  steps: readonly SearchStep[] = searchSteps,
): Promise<number[]> => {
  if (search.query.terms.length === 0) return []
  const realm_id = query.state.realm.id
  const terms = await loadSearchTerms(query.sql, realm_id, search.query, search.text)
  const { limit } = window
  const direction = 'below' in window ? 'down' : 'up'
  const conditions = query.narrow.conditions.filter((condition) => condition !== search)
  const rest: NarrowQuery = { ...query, narrow: { ...query.narrow, conditions } }
  const found: number[] = []
  let edge = 'below' in window ? window.below : window.from
  const isAfterMark = () => (direction === 'down' ? edge - 1 : edge) > terms.mark

  for (let i = 0; ; ) {
    const { candidates, size } = steps[Math.min(i, steps.length - 1)] as SearchStep
    const page = direction === 'down' ? { below: edge, limit: candidates } : { from: edge, limit: candidates }
    const near = await selectWithoutWords(rest, page)
    found.push(...(await filterHits(query, terms, near, direction, limit - found.length)))
    if (found.length >= limit || near.length < candidates) return found
    const last = near.at(-1) as number
    edge = direction === 'down' ? last : last + 1
    if (isAfterMark()) continue
    i++

    for (let next: typeof size = size; ; next = 'all') {
      const stretch = buildStretch(realm_id, direction, edge, next)
      const { ids, hits, last_message_id } = await searchStretch(rest, terms, stretch, direction, limit - found.length)
      found.push(...ids)
      if (found.length >= limit) return found
      edge = direction === 'down' ? stretch.from : Math.min(stretch.to, terms.mark + 1)
      const left = direction === 'down' ? edge : last_message_id + 1 - edge
      if (left <= 0) return found
      if (next === 'all' || isAfterMark()) break
      if ((hits * left) / (stretch.to - stretch.from) > FEW_HITS) break
    }
  }
}

type Direction = 'down' | 'up'

/** Texts of undecided messages that one statement reads. */
const TEXTS = 200

/**
 * The first `limit` of these messages that have the words; later ones are not read.
 * Index: message_terms' key, and that of messages for what is undecided.
 */
const filterHits = async (
  { sql, state }: NarrowQuery,
  terms: SearchTerms,
  ids: readonly number[],
  direction: Direction,
  limit: number,
): Promise<number[]> => {
  const realm_id = state.realm.id
  const order = direction === 'down' ? sql`desc` : sql`asc`
  const found: number[] = []
  const hasUndecided = ids.some((id) => id > terms.mark)
  const rows = hasUndecided ? Math.max(limit, TEXTS) : limit
  for (let left = ids; left.length > 0; ) {
    const candidates = await sql<Candidate[]>`
      select near.id, m.topic, m.rendered_content
      from (select id from unnest(${left as number[]}::bigint[]) as id order by id ${order} offset 0) near
      cross join lateral (select ${decideByIndex(sql, realm_id, sql`near.id`, terms)} as decision offset 0) known
      left join lateral (
        select topic, rendered_content from messages m
        where known.decision = ${decision.isUndecided} and m.realm_id = ${realm_id} and m.id = near.id
        limit 1
      ) m on true
      where known.decision = ${decision.isHit} or m.topic is not null
      order by near.id ${order} limit ${rows}`
    found.push(...keepMatches(candidates, terms.query))
    const last = candidates.at(-1)
    if (found.length >= limit || last === undefined || candidates.length < rows) break
    left = left.slice(left.indexOf(last.id) + 1)
  }
  return found.slice(0, limit)
}

interface StretchHits {
  ids: number[]
  /** also those that the rest of the narrow excludes */
  hits: number
  last_message_id: number
}

/** Finds the first hits of the index of words in a stretch. */
const searchStretch = async (
  query: NarrowQuery,
  terms: SearchTerms,
  stretch: Stretch,
  direction: Direction,
  limit: number,
): Promise<StretchHits> => {
  const ids: number[] = []
  const readable = query.reader === undefined ? [] : readableChannels(query.state, query.reader)
  for (let left = stretch; ; ) {
    const page = await selectStretch(query, terms, left, { direction, limit, readable })
    const matches = keepMatches(page.candidates, terms.query)
    ids.push(...(await dropMisses(query, matches)))
    const last = page.candidates.at(-1)
    if (ids.length >= limit || last === undefined || page.candidates.length < limit)
      return { ...page, ids: ids.slice(0, limit) }
    left = direction === 'down' ? { ...left, to: last.id } : { ...left, from: last.id + 1 }
  }
}

/** Selects from the index. Indexes: message_terms_terms, message_terms_changed, then keys. */
const selectStretch = async (
  query: NarrowQuery,
  terms: SearchTerms,
  stretch: Stretch,
  { direction, limit, readable }: { direction: Direction; limit: number; readable: readonly number[] },
): Promise<{ candidates: Candidate[]; hits: number; last_message_id: number }> => {
  const { sql, state, narrow } = query
  const realm_id = state.realm.id
  const order = direction === 'down' ? sql`desc` : sql`asc`
  const reach = narrow.includesHistory ? sql`` : sql`and ${isReceivedAndReadable(query, readable)}`
  const [row] = await sql<{ candidates: Candidate[]; hits: number; last_message_id: number }[]>`
    with hits as materialized (${selectHits(sql, realm_id, terms, stretch)})
    select last_message_id, (select count(*) from hits) as hits, (
      select coalesce(json_agg(page), '[]') from (
        select m.id,
          case when h.is_undecided then m.topic end as topic,
          case when h.is_undecided then m.rendered_content end as rendered_content
        from (select id, is_undecided from hits order by id ${order} offset 0) h cross join lateral (
          select m.id, m.topic, m.rendered_content from messages m
          where m.realm_id = ${realm_id} and m.id = h.id ${reach} ${matchesAll(query, narrow.conditions)}
          limit 1
        ) m
        order by h.id ${order} limit ${limit}
      ) page
    ) as candidates
    from log_heads where realm_id = ${realm_id}`
  if (row === undefined) throw new Error(`realm ${realm_id} has no log`)
  return row
}
