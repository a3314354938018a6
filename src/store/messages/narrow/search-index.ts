/**
 * The index of words for full-text search. English words are stored as stems.
 *
 * 1. A worker indexes messages after they were sent, in batches, up to a mark. A search reads messages after the mark
 *    without the index, so it misses none.
 * 2. A transaction that changes a text or a topic also writes the words of the message, before or after the mark.
 * 3. The index can have words of deleted messages: a search also checks that the message exists.
 * 4. Every word in the index has the realm's id as a prefix. A message also has two words for its buckets, which are
 *    ranges of neighbouring ids in two sizes. So a search for a common word reads only the hits near an edge, and not
 *    all hits of the realm.
 *
 * Source: messages.md 1.8.
 */

import type { Db, Fragment, Sql, Transaction } from '../../sql.js'

/** Messages per transaction of the worker. */
const BATCH = 1_000

/** Sizes of the buckets (4), as powers of two. */
const [SMALL, LARGE] = [14, 17]

/** The word of a bucket (4). No stem contains an @. */
const bucketWord = (realm_id: number, power: number, bucket: number): string => `${realm_id}@${power}.${bucket}`

/** The words of `m`. HTML tags are skipped. */
const messageWords = (sql: Db): Fragment => sql`
  ${textStems(sql, sql`m.realm_id`, sql`m.topic || ' ' || m.rendered_content`)} || array[
    m.realm_id || '@${sql.unsafe(String(SMALL))}.' || (m.id >> ${SMALL}::int),
    m.realm_id || '@${sql.unsafe(String(LARGE))}.' || (m.id >> ${LARGE}::int)
  ]`

/** The stems in a text, as words of the realm. */
const textStems = (sql: Db, realm_id: Fragment, text: Fragment): Fragment => sql`
  array(select ${realm_id} || ':' || stem from unnest(tsvector_to_array(to_tsvector('english', ${text}))) as stem)`

/**
 * A range of message ids of one realm, [from, to). `buckets`: the words of the buckets that it covers; undefined: all.
 */
export interface Stretch {
  from: number
  to: number
  buckets?: readonly string[]
}

/** Above every id. */
const MAX_ID = Number.MAX_SAFE_INTEGER

/** Builds the stretch from an edge downwards or upwards: at least one small or large bucket, or all ids. */
export const buildStretch = (
  realm_id: number,
  direction: 'down' | 'up',
  edge: number,
  size: 'small' | 'large' | 'all',
): Stretch => {
  const down = direction === 'down'
  if (size === 'all') return { from: down ? 0 : edge, to: down ? edge : MAX_ID }
  const power = size === 'small' ? SMALL : LARGE
  const width = 2 ** power
  const first = Math.floor((down ? edge - 1 : edge) / width)
  const second = Math.max(0, down ? first - 1 : first + 1)
  const buckets = [first, second].map((bucket) => bucketWord(realm_id, power, bucket))
  return down ? { from: second * width, to: edge, buckets } : { from: edge, to: (second + 1) * width, buckets }
}

/** The terms of a search. */
export interface SearchTerms {
  /** the words in the form of the index; empty: the text has only stop words */
  words: readonly string[]
  /** the id up to which messages are indexed (1) */
  mark: number
}

/** Loads the terms for a search text. */
export const loadSearchTerms = async (sql: Sql, realm_id: number, text: string): Promise<SearchTerms> => {
  const [row] = await sql<SearchTerms[]>`
    select ${textStems(sql, sql`${realm_id}::int`, sql`${text}`)} as words,
      coalesce((select indexed_up_to from search_marks where realm_id = ${realm_id}), 0) as mark`
  return row ?? { words: [], mark: 0 }
}

/** Selects the ids of messages in the stretch that have all the words. `mark` may be lower than the present mark. */
export const selectHits = (sql: Db, realm_id: number, { words, mark }: SearchTerms, stretch: Stretch): Fragment => {
  const { from, to, buckets } = stretch
  const wordArray = sql`${words as string[]}::text[]`
  // Left out if it selects nothing, because the planner would start parallel workers for it.
  const later = sql`
    union
    select m.id from messages m
    where m.realm_id = ${realm_id} and m.id > ${mark} and m.id >= ${from} and m.id < ${to}
      and ${messageWords(sql)} @> ${wordArray}`
  // `offset 0` keeps the planner from listing the whole stretch by the table's key to intersect both lists.
  return sql`
    select id from (
      select message_id as id from message_words
      where words @> ${wordArray} ${buckets === undefined ? sql`` : sql`and words && ${buckets as string[]}::text[]`}
      offset 0
    ) hit
    where id >= ${from} and id < ${to}
    ${to > mark + 1 ? later : sql``}`
}

/** Whether `m` has the words, and contains every phrase literally, compared without case. */
export const matchesSearch = (
  sql: Db,
  realm_id: number,
  { text, phrases }: { text: string; phrases: readonly string[] },
): Fragment => sql`
  to_tsvector('english', ${text}) <> '' and coalesce(
    (select w.words from message_words w where w.realm_id = ${realm_id} and w.message_id = m.id), ${messageWords(sql)}
  ) @> ${textStems(sql, sql`${realm_id}::int`, sql`${text}`)} and ${hasPhrases(sql, phrases)}`

/** The same for an existing message, given its id and the words. The row of the message is read only if needed. */
export const hasWords = (
  sql: Db,
  realm_id: number,
  id: Fragment,
  words: readonly string[],
  phrases: readonly string[],
): Fragment => {
  const readRow = (expression: Fragment) =>
    sql`(select ${expression} from messages m where m.realm_id = ${realm_id} and m.id = ${id})`
  return sql`
    coalesce(
      (select w.words from message_words w where w.realm_id = ${realm_id} and w.message_id = ${id}), ${readRow(messageWords(sql))}
    ) @> ${words as string[]}::text[] ${phrases.length === 0 ? sql`` : sql`and ${readRow(hasPhrases(sql, phrases))}`}`
}

/** Whether `m` has every phrase. */
export const hasPhrases = (sql: Db, phrases: readonly string[]): Fragment =>
  phrases.reduce(
    (before, phrase) => sql`${before} and strpos(lower(m.topic || E'\n' || m.content), ${phrase.toLowerCase()}) > 0`,
    sql`true`,
  )

/** Writes the words of messages that were changed (2). */
export const rewriteWords = (tx: Transaction, realm_id: number, ids: readonly number[]): Promise<unknown> => tx`
  insert into message_words (realm_id, message_id, words)
  select ${realm_id}, m.id, ${messageWords(tx)} from messages m
  where m.realm_id = ${realm_id} and m.id = any(${ids as number[]}::bigint[])
  on conflict (realm_id, message_id) do update set words = excluded.words`

/** Finds the realms with messages that are not indexed yet. */
export const findRealmsToIndex = async (sql: Sql): Promise<number[]> => {
  const behind = await sql<{ realm_id: number }[]>`
    select h.realm_id from log_heads h left join search_marks s on s.realm_id = h.realm_id
    where h.last_message_id > coalesce(s.indexed_up_to, 0)`
  return behind.map(({ realm_id }) => realm_id)
}

/** Indexes a realm up to its latest message (1). Does nothing while another worker indexes it. */
export const indexRealm = async (sql: Sql, realm_id: number): Promise<void> => {
  while (await indexBatch(sql, realm_id));
}

/** Indexes a batch. @returns whether there may be more */
const indexBatch = (sql: Sql, realm_id: number): Promise<boolean> =>
  sql.begin(async (tx) => {
    await tx`insert into search_marks (realm_id, indexed_up_to) values (${realm_id}, 0) on conflict do nothing`
    const [mark] = await tx<{ from: number; to: number }[]>`
      select s.indexed_up_to as from, h.last_message_id as to
      from search_marks s join log_heads h on h.realm_id = s.realm_id
      where s.realm_id = ${realm_id}
      for update of s skip locked`
    if (mark === undefined || mark.from >= mark.to) return false
    // A batch is a number of messages and not a range of ids, because many ids may have no message.
    const [batch] = await tx<{ to: number }[]>`
      select id as to from messages where realm_id = ${realm_id} and id > ${mark.from} and id <= ${mark.to}
      order by id offset ${BATCH - 1} limit 1`
    const to = batch?.to ?? mark.to
    await tx`
      insert into message_words (realm_id, message_id, words)
      select ${realm_id}, m.id, ${messageWords(tx)} from messages m
      where m.realm_id = ${realm_id} and m.id > ${mark.from} and m.id <= ${to}
      on conflict do nothing`
    await tx`update search_marks set indexed_up_to = ${to} where realm_id = ${realm_id}`
    return to < mark.to
  }) as Promise<boolean>
