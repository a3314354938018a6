/**
 * Full-text search: the words of messages, English ones by their stems.
 *
 * 1. Words are computed behind the sends, a batch at a time, up to a mark. What is after the mark is read as it is, so
 *    a search misses nothing however far behind the words are.
 * 2. Who changes a text or a topic writes its words in the same transaction, before or after the mark.
 * 3. Words of a message that is gone mean nothing: whoever searches asks the messages too.
 * 4. Every word in the index is a word of a realm. Beside its own, a message has those of its place: buckets of
 *    neighbouring ids in two sizes. So the index yields what is near an edge without going through all that a realm
 *    says of a common word.
 *
 * Source: messages.md 1.8.
 */

import type { Db, Fragment, Sql, Transaction } from '../../sql.js'

/** Messages per transaction of the worker. */
const BATCH = 1_000

/** Sizes of the buckets (4), as powers of two. */
const [SMALL, LARGE] = [14, 17]

/** A bucket as a word (4): no stem begins like this. */
const bucketWord = (realm_id: number, power: number, bucket: number): string => `${realm_id}@${power}.${bucket}`

/** The words of `m`. Tags of HTML are no words. */
const messageWords = (sql: Db): Fragment => sql`
  ${textStems(sql, sql`m.realm_id`, sql`m.topic || ' ' || m.rendered_content`)} || array[
    m.realm_id || '@${sql.unsafe(String(SMALL))}.' || (m.id >> ${SMALL}::int),
    m.realm_id || '@${sql.unsafe(String(LARGE))}.' || (m.id >> ${LARGE}::int)
  ]`

/** The stems in a text, as words of the realm. */
const textStems = (sql: Db, realm_id: Fragment, text: Fragment): Fragment => sql`
  array(select ${realm_id} || ':' || stem from unnest(tsvector_to_array(to_tsvector('english', ${text}))) as stem)`

/** Ids of one realm, [from, to), that are the whole of some buckets; without buckets, of all there are. */
export interface Stretch {
  from: number
  to: number
  buckets?: readonly string[]
}

/** Above every id. */
const MAX_ID = Number.MAX_SAFE_INTEGER

/** From an edge downwards, or upwards: one small bucket at least, one large bucket at least, or all there is. */
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

/** What a search looks for. */
export interface SearchTerms {
  /** as the index has them; none: the text has only words that say nothing */
  words: readonly string[]
  /** up to where the words of messages are there (1) */
  mark: number
}

export const loadSearchTerms = async (sql: Sql, realm_id: number, text: string): Promise<SearchTerms> => {
  const [row] = await sql<SearchTerms[]>`
    select ${textStems(sql, sql`${realm_id}::int`, sql`${text}`)} as words,
      coalesce((select indexed_up_to from search_marks where realm_id = ${realm_id}), 0) as mark`
  return row ?? { words: [], mark: 0 }
}

/** Ids of the realm's messages in the stretch that have all the words, `mark` being as it is now or was a moment ago. */
export const selectHits = (sql: Db, realm_id: number, { words, mark }: SearchTerms, stretch: Stretch): Fragment => {
  const { from, to, buckets } = stretch
  const wanted = sql`${words as string[]}::text[]`
  // What is not asked for is left out: the planner would get workers ready for it.
  const later = sql`
    union
    select m.id from messages m
    where m.realm_id = ${realm_id} and m.id > ${mark} and m.id >= ${from} and m.id < ${to}
      and ${messageWords(sql)} @> ${wanted}`
  // Behind `offset 0`, because the planner would have the table's key list the whole stretch to compare both lists.
  return sql`
    select id from (
      select message_id as id from message_words
      where words @> ${wanted} ${buckets === undefined ? sql`` : sql`and words && ${buckets as string[]}::text[]`}
      offset 0
    ) hit
    where id >= ${from} and id < ${to}
    ${to > mark + 1 ? later : sql``}`
}

/** Whether `m` has the words, and every phrase to the letter, whatever the case. */
export const matchesSearch = (
  sql: Db,
  realm_id: number,
  { text, phrases }: { text: string; phrases: readonly string[] },
): Fragment => sql`
  to_tsvector('english', ${text}) <> '' and coalesce(
    (select w.words from message_words w where w.realm_id = ${realm_id} and w.message_id = m.id), ${messageWords(sql)}
  ) @> ${textStems(sql, sql`${realm_id}::int`, sql`${text}`)} and ${hasPhrases(sql, phrases)}`

/** The same of a message that is there, given its id and the words: its own row is read only where it must be. */
export const hasWords = (
  sql: Db,
  realm_id: number,
  id: Fragment,
  words: readonly string[],
  phrases: readonly string[],
): Fragment => {
  const own = (what: Fragment) => sql`(select ${what} from messages m where m.realm_id = ${realm_id} and m.id = ${id})`
  return sql`
    coalesce(
      (select w.words from message_words w where w.realm_id = ${realm_id} and w.message_id = ${id}), ${own(messageWords(sql))}
    ) @> ${words as string[]}::text[] ${phrases.length === 0 ? sql`` : sql`and ${own(hasPhrases(sql, phrases))}`}`
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

/** Organizations with messages whose words are not there yet. */
export const findRealmsToIndex = async (sql: Sql): Promise<number[]> => {
  const behind = await sql<{ realm_id: number }[]>`
    select h.realm_id from log_heads h left join search_marks s on s.realm_id = h.realm_id
    where h.last_message_id > coalesce(s.indexed_up_to, 0)`
  return behind.map(({ realm_id }) => realm_id)
}

/** Brings the words of one up to the latest message (1). Workers that do it at once leave realms to each other. */
export const indexRealm = async (sql: Sql, realm_id: number): Promise<void> => {
  while (await indexBatch(sql, realm_id));
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
    // By messages and not by ids, of which there may be many without a message.
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
