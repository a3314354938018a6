/**
 * Full-text search: the words of messages, English ones by their stems.
 *
 * 1. Words are computed behind the sends, a batch at a time, up to a mark. What is after the mark is read as it is, so
 *    a search misses nothing however far behind the words are.
 * 2. Who changes a text or a topic writes its words in the same transaction, before or after the mark.
 * 3. Words of a message that is gone mean nothing: whoever searches asks the messages too.
 * 4. Beside its own words every message has those of its place: the realm, and buckets of neighbouring ids in two
 *    sizes. So the index yields what is near an edge without going through all that a realm says of a common word.
 *
 * Source: messages.md 1.8.
 */

import { escapeText } from '../../domain/markdown/escape.js'
import { marked, piecesOf } from '../../domain/messages/html-pieces.js'
import type { Db, Fragment, Sql, Transaction } from '../sql.js'

/** Messages per transaction of the worker. */
const BATCH = 1_000

/** Sizes of the buckets (4), as powers of two. */
const [SMALL, LARGE] = [14, 17]

/** The word of the realm, or of a bucket of it. Words of texts do not begin with an `@`. */
const placeWord = (realm_id: number, bucket = ''): string => `@${realm_id}${bucket}`

/** The words of `m`. Tags of HTML are no words. */
const wordsOf = (sql: Db): Fragment => sql`
  to_tsvector('english', m.topic || ' ' || m.rendered_content) || array_to_tsvector(array[
    '@' || m.realm_id, '@' || m.realm_id || '.${sql.unsafe(String(SMALL))}.' || (m.id >> ${SMALL}::int),
    '@' || m.realm_id || '.${sql.unsafe(String(LARGE))}.' || (m.id >> ${LARGE}::int)
  ])`

const queryOf = (sql: Db, text: string, places: readonly string[]): Fragment => sql`
  (plainto_tsquery('english', ${text}) && ${places.map((place) => `'${place}'`).join(' | ')}::tsquery)`

/** Ids of one realm, [from, to), that are the whole of some buckets. */
export interface Stretch {
  from: number
  to: number
  places: readonly string[]
}

/** Above every id. */
const noBound = Number.MAX_SAFE_INTEGER

/** From an edge downwards, or upwards: one small bucket at least, one large bucket at least, or all there is. */
export const stretchFrom = (
  realm_id: number,
  direction: 'down' | 'up',
  edge: number,
  size: 'small' | 'large' | 'all',
): Stretch => {
  const down = direction === 'down'
  if (size === 'all') return { from: down ? 0 : edge, to: down ? edge : noBound, places: [placeWord(realm_id)] }
  const power = size === 'small' ? SMALL : LARGE
  const width = 2 ** power
  const first = Math.floor((down ? edge - 1 : edge) / width)
  const second = Math.max(0, down ? first - 1 : first + 1)
  const places = [first, second].map((bucket) => placeWord(realm_id, `.${power}.${bucket}`))
  return down ? { from: second * width, to: edge, places } : { from: edge, to: (second + 1) * width, places }
}

/**
 * Ids of the realm's messages in the stretch that have all the words.
 * @param mark up to where words are there, now or a moment ago
 */
export const hitsOf = (sql: Db, realm_id: number, text: string, mark: number, stretch: Stretch): Fragment => {
  const { from, to, places } = stretch
  // What is not asked for is left out: the planner would get workers ready for it.
  const later = sql`
    union
    select m.id from messages m
    where m.realm_id = ${realm_id} and m.id > ${mark} and m.id >= ${from} and m.id < ${to}
      and ${wordsOf(sql)} @@ plainto_tsquery('english', ${text})`
  return sql`
    select message_id as id from message_words
    where words @@ ${queryOf(sql, text, places)} and message_id >= ${from} and message_id < ${to}
    ${to > mark + 1 ? later : sql``}`
}

/** Whether the text has words to look for, and up to where those of messages are there (1). */
export const lookedFor = async (
  sql: Sql,
  realm_id: number,
  text: string,
): Promise<{ has_words: boolean; mark: number }> => {
  const [row] = await sql<{ has_words: boolean; mark: number }[]>`
    select numnode(plainto_tsquery('english', ${text})) > 0 as has_words,
      coalesce((select indexed_up_to from search_marks where realm_id = ${realm_id}), 0) as mark`
  return row ?? { has_words: false, mark: 0 }
}

/** Whether `m` has the words, and every phrase to the letter, whatever the case. */
export const isHit = (
  sql: Db,
  realm_id: number,
  { text, phrases }: { text: string; phrases: readonly string[] },
): Fragment => sql`
  numnode(plainto_tsquery('english', ${text})) > 0 and coalesce(
    (select w.words from message_words w where w.realm_id = ${realm_id} and w.message_id = m.id), ${wordsOf(sql)}
  ) @@ plainto_tsquery('english', ${text}) and ${hasPhrases(sql, phrases)}`

/** Whether `m` has every phrase. */
export const hasPhrases = (sql: Db, phrases: readonly string[]): Fragment =>
  phrases.reduce(
    (before, phrase) => sql`${before} and strpos(lower(m.topic || E'\n' || m.content), ${phrase.toLowerCase()}) > 0`,
    sql`true`,
  )

/** Writes the words of messages that were changed (2). */
export const rewriteWords = (tx: Transaction, realm_id: number, ids: readonly number[]): Promise<unknown> => tx`
  insert into message_words (realm_id, message_id, words)
  select ${realm_id}, m.id, ${wordsOf(tx)} from messages m
  where m.realm_id = ${realm_id} and m.id = any(${ids as number[]}::bigint[])
  on conflict (realm_id, message_id) do update set words = excluded.words`

/** Brings the words of all realms up to the latest message (1). Workers that do it at once leave realms to each other. */
export const indexWords = async (sql: Sql): Promise<void> => {
  const behind = await sql<{ realm_id: number }[]>`
    select h.realm_id from log_heads h left join search_marks s on s.realm_id = h.realm_id
    where h.last_message_id > coalesce(s.indexed_up_to, 0)`
  for (const { realm_id } of behind) while (await indexBatch(sql, realm_id));
}

/** @returns whether there may be more */
const indexBatch = (sql: Sql, realm_id: number): Promise<boolean> =>
  sql.begin(async (tx) => {
    await tx`insert into search_marks (realm_id, indexed_up_to) values (${realm_id}, 0) on conflict do nothing`
    const [mark] = await tx<{ from: number; to: number }[]>`
      select s.indexed_up_to as from, h.last_message_id as to
      from search_marks s join log_heads h on h.realm_id = s.realm_id
      where s.realm_id = ${realm_id}
      for update of s skip locked`
    if (mark === undefined || mark.from >= mark.to) return false
    const to = Math.min(mark.to, mark.from + BATCH)
    await tx`
      insert into message_words (realm_id, message_id, words)
      select ${realm_id}, m.id, ${wordsOf(tx)} from messages m
      where m.realm_id = ${realm_id} and m.id > ${mark.from} and m.id <= ${to}
      on conflict do nothing`
    await tx`update search_marks set indexed_up_to = ${to} where realm_id = ${realm_id}`
    return to < mark.to
  }) as Promise<boolean>

/** A message with the hits of a search marked. */
export interface Match {
  match_content: string
  match_subject: string
}

interface Searched {
  topic: string
  rendered_content: string
}

/** Marks the hits in these messages; without a search, none. Which words are hits is asked for all of them at once. */
export const matchesOf = async (sql: Sql, text: string | undefined, rows: readonly Searched[]): Promise<Match[]> => {
  const texts = rows.map(({ topic, rendered_content }) => ({ content: rendered_content, subject: escapeText(topic) }))
  const hits = text === undefined ? new Set<string>() : await hitsAmong(sql, text, texts)
  return texts.map(({ content, subject }) => ({
    match_content: marked(content, hits),
    match_subject: marked(subject, hits),
  }))
}

const hitsAmong = async (sql: Sql, text: string, texts: readonly { content: string; subject: string }[]) => {
  const words = new Set<string>()
  for (const { content, subject } of texts) {
    for (const piece of [...piecesOf(content), ...piecesOf(subject)]) if (/^[\p{L}\p{N}]/u.test(piece)) words.add(piece)
  }
  const found = await sql<{ word: string }[]>`
    select word from unnest(${[...words]}::text[]) as word
    where tsvector_to_array(to_tsvector('english', word)) && tsvector_to_array(to_tsvector('english', ${text}))`
  return new Set(found.map(({ word }) => word))
}
