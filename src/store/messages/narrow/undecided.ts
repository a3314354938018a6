/** Reads the texts of messages whose words are not in the index yet, or not any more (search-index.ts, 1 and 2). */

import { composeQuery } from '../../../domain/search/index-text.js'
import { matchesMessage, type SearchedMessage } from '../../../domain/search/message-text.js'
import type { SearchQuery } from '../../../domain/search/query.js'
import { type IdWindow, matchesAll, type NarrowQuery } from './conditions.js'
import { hasFileOfMessage } from './file-hits.js'
import { isUndecided } from './search-index.js'

/** A message whose text decides whether it matches; without a text, the index has decided that it does. */
export type Candidate = { id: number } & (SearchedMessage | { topic: null; rendered_content: null })

/** Ids of those candidates that match. */
export const keepMatches = (candidates: readonly Candidate[], query: SearchQuery): number[] =>
  candidates.filter((one) => one.topic === null || matchesMessage(one, query)).map(({ id }) => id)

/**
 * Drops those messages that the conditions left undecided and that do not match. The conditions of a narrow keep
 * undecided messages. A worker may have indexed some of them since: then the index decides now.
 */
export const dropMisses = async (query: NarrowQuery, ids: readonly number[]): Promise<number[]> => {
  const { sql, state, narrow } = query
  const searches = narrow.conditions.filter((condition) => condition.test === 'search')
  if (searches.length === 0 || ids.length === 0) return [...ids]
  const realm_id = state.realm.id
  // A file of the message may have the words (search-index.ts, 7).
  const inFiles = searches.reduce((before, { query: { terms } }, i) => {
    const all = composeQuery(String(realm_id), terms)
    const isInFile =
      terms.length === 0 ? sql`false` : sql`m.has_attachment and ${hasFileOfMessage(sql, realm_id, sql`m.id`, all)}`
    return i === 0 ? isInFile : sql`${before}, ${isInFile}`
  }, sql``)
  const rows = await sql<({ id: number; is_undecided: boolean; in_files: boolean[] } & SearchedMessage)[]>`
    select m.id, m.topic, m.rendered_content, ${isUndecided(sql, realm_id)} as is_undecided,
      to_json(array[${inFiles}]) as in_files
    from messages m
    where m.realm_id = ${realm_id} and m.id = any(${ids as number[]}::bigint[])
      and (${isUndecided(sql, realm_id)} or not (true ${matchesAll(query, searches)}))`
  const matches = (row: (typeof rows)[number], { query: searched }: { query: SearchQuery }, i: number) =>
    row.in_files[i] === true || matchesMessage(row, searched)
  const misses = new Set(
    rows
      .filter((row) => !row.is_undecided || searches.some((search, i) => matches(row, search, i) === search.negated))
      .map(({ id }) => id),
  )
  return ids.filter((id) => !misses.has(id))
}

/** The window after an id of the page, in the same direction. */
export const windowAfter = (window: IdWindow, id: number): IdWindow =>
  'below' in window ? { below: id, limit: window.limit } : { from: id + 1, limit: window.limit }

/** Selects pages until enough of their ids are kept, or no more are left. */
export const fillPage = async (
  window: IdWindow,
  select: (window: IdWindow) => Promise<number[]>,
  keep: (ids: readonly number[]) => Promise<number[]>,
): Promise<number[]> => {
  const found: number[] = []
  for (let next = window; ; ) {
    const page = await select(next)
    found.push(...(await keep(page)))
    const last = page.at(-1)
    if (last === undefined || page.length < window.limit || found.length >= window.limit) break
    next = windowAfter(next, last)
  }
  return found.slice(0, window.limit)
}
