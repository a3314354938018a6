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
 */
import type { Condition } from '../../../domain/messages/narrow/narrow.js'
import { readableChannels } from '../../../domain/messages/reading.js'
import type { Fragment } from '../../sql.js'
import { type IdWindow, isReceivedAndReadable, matchesAll, type NarrowQuery } from './conditions.js'
import { buildStretch, hasPhrases, hasWords, loadSearchTerms, type SearchTerms, selectHits } from './search-index.js'

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
  const terms = await loadSearchTerms(query.sql, query.state.realm.id, search.text)
  if (terms.words.length === 0) return []
  const { limit } = window
  const direction = 'below' in window ? 'down' : 'up'
  const conditions = query.narrow.conditions.filter((condition) => condition !== search)
  const rest: NarrowQuery = { ...query, narrow: { ...query.narrow, conditions } }
  const found: number[] = []
  let edge = 'below' in window ? window.below : window.from

  for (const { candidates, size } of steps) {
    const page = direction === 'down' ? { below: edge, limit: candidates } : { from: edge, limit: candidates }
    const near = await selectWithoutWords(rest, page)
    found.push(...(await filterHits(query, terms, search.phrases, near, direction, limit - found.length)))
    if (found.length >= limit || near.length < candidates) return found
    const last = near.at(-1) as number
    edge = direction === 'down' ? last : last + 1

    for (let next: typeof size = size; ; next = 'all') {
      const stretch = buildStretch(query.state.realm.id, direction, edge, next)
      const { ids, hits, last_message_id } = await searchStretch(
        rest,
        selectHits(query.sql, query.state.realm.id, terms, stretch),
        search.phrases,
        direction,
        limit - found.length,
      )
      found.push(...ids)
      if (found.length >= limit || next === 'all') return found
      edge = direction === 'down' ? stretch.from : stretch.to
      const left = direction === 'down' ? edge : last_message_id - edge
      if (left <= 0) return found
      if ((hits * left) / (stretch.to - stretch.from) > FEW_HITS) break
    }
  }
  return found
}

type Direction = 'down' | 'up'

/**
 * The first `limit` of these messages that have the words; later ones are not read.
 * Index: message_words' key, and that of messages for phrases and for what is after the mark.
 */
const filterHits = async (
  { sql, state }: NarrowQuery,
  { words }: SearchTerms,
  phrases: readonly string[],
  ids: readonly number[],
  direction: Direction,
  limit: number,
): Promise<number[]> => {
  if (ids.length === 0) return []
  const order = direction === 'down' ? sql`desc` : sql`asc`
  const rows = await sql<{ id: number }[]>`
    select id from (select id from unnest(${ids as number[]}::bigint[]) as id order by id ${order} offset 0) near
    where ${hasWords(sql, state.realm.id, sql`near.id`, words, phrases)}
    order by id ${order} limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Selects the hits of the index of words in a stretch. Indexes: message_words_words, then keys. */
const searchStretch = async (
  query: NarrowQuery,
  hits: Fragment,
  phrases: readonly string[],
  direction: Direction,
  limit: number,
): Promise<{ ids: number[]; hits: number; last_message_id: number }> => {
  const { sql, state, reader, narrow } = query
  const realm_id = state.realm.id
  const order = direction === 'down' ? sql`desc` : sql`asc`
  const readable = reader === undefined ? [] : readableChannels(state, reader)
  const reach = narrow.includesHistory ? sql`` : sql`and ${isReceivedAndReadable(query, readable)}`
  const [row] = await sql<{ ids: number[]; hits: number; last_message_id: number }[]>`
    with hits as materialized (${hits})
    select last_message_id, (select count(*) from hits) as hits, (
      select coalesce(json_agg(page.id), '[]') from (
        select m.id from (select id from hits order by id ${order} offset 0) h cross join lateral (
          select m.id from messages m
          where m.realm_id = ${realm_id} and m.id = h.id ${reach} ${matchesAll(query, narrow.conditions)}
            and ${hasPhrases(sql, phrases)}
          limit 1
        ) m
        order by h.id ${order} limit ${limit}
      ) page
    ) as ids
    from log_heads where realm_id = ${realm_id}`
  if (row === undefined) throw new Error(`realm ${realm_id} has no log`)
  return row
}
