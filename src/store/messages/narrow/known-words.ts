/**
 * The words that messages and files of an organization have, for suggestions when a search finds little.
 *
 * 1. A worker learns the words of messages after they were sent, in batches up to a mark, and those of a file when it
 *    is read. Words of deleted messages stay: a suggestion is checked by a search of the caller (find-corrections.ts),
 *    so that nobody learns from it what they cannot read.
 * 2. An organization has at most MAX_WORDS words. When there are more, the rarest are forgotten.
 * 3. `rank` is about the logarithm of the number of uses. It grows by chance, so a common word is rarely written again.
 */
import { countKnowableWords, type KnownWord, wordKeys } from '../../../domain/search/spelling.js'
import type { Db, Sql, Transaction } from '../../sql.js'

const MAX_WORDS = 50_000
/** So many words are forgotten at once beyond those that are too many. */
const SPARE_WORDS = 5_000

/** Messages of a batch, and the characters of each that are read: what is repeated a lot is learnt from others too. */
const BATCH = 500
const MAX_CHARACTERS = 2_000

/** Of a history that was not read yet, the words of the latest messages are enough. */
const MAX_HISTORY = 200_000

/** Adds words with the number of their uses. */
export const learnWords = async (
  tx: Transaction,
  realm_id: number,
  counts: ReadonlyMap<string, number>,
): Promise<void> => {
  if (counts.size === 0) return
  const known = await tx<KnownWord[]>`
    select word, rank from known_words where realm_id = ${realm_id} and word = any(${[...counts.keys()]}::text[])`
  const ranks = new Map(known.map(({ word, rank }) => [word, rank]))
  const learnt = [...counts].flatMap(([word, count]) => {
    const before = ranks.get(word)
    const rank = nextRank(before, count)
    return rank === before ? [] : [{ word, rank, keys: wordKeys(realm_id, word) }]
  })
  if (learnt.length === 0) return
  // In one order, so that two transactions never wait for each other.
  learnt.sort((a, b) => (a.word < b.word ? -1 : 1))
  await tx`
    insert into known_words (realm_id, word, rank, keys)
    select ${realm_id}, word, rank, keys
    from json_to_recordset(${JSON.stringify(learnt)}::text::json) as w (word text, rank int, keys int[])
    on conflict (realm_id, word) do update set rank = greatest(known_words.rank, excluded.rank)`
}

/** The rank after more uses (3). */
const nextRank = (before: number | undefined, count: number): number => {
  const exact = Math.log2((before === undefined ? 0 : 2 ** before) + count)
  const rank = Math.floor(exact) + (Math.random() < exact % 1 ? 1 : 0)
  return Math.max(before ?? 0, before === undefined ? Math.floor(exact) : rank)
}

/** Finds the realms with messages whose words were not learnt yet. */
export const findRealmsToLearn = async (sql: Sql): Promise<number[]> => {
  const behind = await sql<{ realm_id: number }[]>`
    select h.realm_id from log_heads h left join known_word_marks k on k.realm_id = h.realm_id
    where h.last_message_id > coalesce(k.learnt_up_to, 0)`
  return behind.map(({ realm_id }) => realm_id)
}

/** Learns the words of a batch of messages (1). @returns whether there may be more */
export const learnBatch = (sql: Sql, realm_id: number): Promise<boolean> =>
  sql.begin(async (tx) => {
    await tx`
      insert into known_word_marks (realm_id, learnt_up_to)
      select realm_id, greatest(0, last_message_id - ${MAX_HISTORY}) from log_heads where realm_id = ${realm_id}
      on conflict do nothing`
    const [mark] = await tx<{ from: number; to: number }[]>`
      select k.learnt_up_to as from, h.last_message_id as to
      from known_word_marks k join log_heads h on h.realm_id = k.realm_id
      where k.realm_id = ${realm_id}
      for update of k skip locked`
    if (mark === undefined || mark.from >= mark.to) return false
    const messages = await tx<{ id: number; text: string }[]>`
      select id, topic || ' ' || left(content, ${MAX_CHARACTERS}) as text from messages
      where realm_id = ${realm_id} and id > ${mark.from} and id <= ${mark.to}
      order by id limit ${BATCH}`
    const isLast = messages.length < BATCH
    const to = isLast ? mark.to : (messages.at(-1)?.id ?? mark.to)
    await learnWords(tx, realm_id, countKnowableWords(messages.map(({ text }) => text.replace(ADDRESS, ' '))))
    await tx`update known_word_marks set learnt_up_to = ${to} where realm_id = ${realm_id}`
    await forgetRareWords(tx, realm_id)
    return !isLast
  }) as Promise<boolean>

const ADDRESS = /\bhttps?:\/\/\S+/g

/** Forgets the rarest words when there are too many (2). */
const forgetRareWords = async (tx: Transaction, realm_id: number): Promise<void> => {
  const [row] = await tx<{ words: number }[]>`
    select count(*)::int as words from known_words where realm_id = ${realm_id}`
  const words = row?.words ?? 0
  if (words <= MAX_WORDS) return
  await tx`
    delete from known_words where realm_id = ${realm_id} and word in (
      select word from known_words where realm_id = ${realm_id}
      order by rank, word limit ${words - MAX_WORDS + SPARE_WORDS}
    )`
}

/** Loads the known words that may be meant by each of the typed words. Index: known_words_keys. */
export const loadNeighbours = async (
  db: Db,
  realm_id: number,
  typed: readonly string[],
): Promise<ReadonlyMap<string, KnownWord[]>> => {
  const keys = typed.map((word) => ({ typed: word, keys: wordKeys(realm_id, word) }))
  const rows = await db<(KnownWord & { typed: string })[]>`
    select t.typed, k.word, k.rank
    from json_to_recordset(${JSON.stringify(keys)}::text::json) as t (typed text, keys int[])
    cross join lateral (
      select word, rank from known_words
      where realm_id = ${realm_id} and known_words.keys && t.keys
      order by rank desc limit ${MAX_NEIGHBOURS}
    ) k`
  const found = new Map<string, KnownWord[]>()
  for (const { typed: word, ...known } of rows) found.set(word, [...(found.get(word) ?? []), known])
  return found
}

const MAX_NEIGHBOURS = 200
