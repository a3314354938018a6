/**
 * Fills the index of words (search-index.ts), in a worker.
 *
 * 1. A batch is one transaction, so it can be interrupted at any time. It locks the marks of the realm, so that one
 *    worker indexes a realm at a time, and no message.
 * 2. New messages come first, then changed ones, then those of before the upgrade, from the newest to the oldest: the
 *    index then has the messages from `terms_from` to `terms_up_to`.
 * 3. A message can change while its words are computed. Its row in the index then exists already, or is locked and read
 *    again: so no older words replace the emptied row.
 */
import { setImmediate } from 'node:timers/promises'
import { composeVector } from '../../../domain/search/index-text.js'
import { messageForms, type SearchedMessage } from '../../../domain/search/message-text.js'
import { isLockConflict, type Sql, type Transaction } from '../../sql.js'
import { bucketWords } from './buckets.js'

/** Messages per transaction. */
const BATCH = 500
/** Messages whose words are computed before other work of the process has its turn. */
const SLICE = 50
/** Shorter than Postgres waits before it looks for deadlocks: a batch gives way to an edit. */
const LOCK_TIMEOUT_MS = 300
/** Batches of messages of before the upgrade per call, so that new messages do not wait for them. */
const OLDER_BATCHES = 6

/** Finds the realms with messages that are not indexed yet, or that were changed. */
export const findRealmsToIndex = async (sql: Sql): Promise<number[]> => {
  const behind = await sql<{ realm_id: number }[]>`
    select h.realm_id from log_heads h left join search_marks s on s.realm_id = h.realm_id
    where h.last_message_id > coalesce(s.terms_up_to, 0) or s.terms_from > 0
    union
    select realm_id from message_terms where terms is null`
  return behind.map(({ realm_id }) => realm_id)
}

/** Indexes a realm up to its latest message, and a part of its older ones. Nothing while another worker indexes it. */
export const indexRealm = async (sql: Sql, realm_id: number): Promise<void> => {
  while (await runBatch(sql, realm_id, indexNew));
  while (await runBatch(sql, realm_id, indexChanged));
  for (let i = 0; i < OLDER_BATCHES; i++) if (!(await runBatch(sql, realm_id, indexOlder))) return
}

interface Marks {
  from: number
  up_to: number
  last: number
}

/** Indexes some messages. @returns whether there may be more */
type Batch = (tx: Transaction, realm_id: number, marks: Marks) => Promise<boolean>

const runBatch = async (sql: Sql, realm_id: number, batch: Batch): Promise<boolean> => {
  try {
    return await commitBatch(sql, realm_id, batch)
  } catch (error) {
    // An edit has a row that the batch inserts too. The next call goes on.
    if (isLockConflict(error)) return false
    throw error
  }
}

const commitBatch = (sql: Sql, realm_id: number, batch: Batch): Promise<boolean> =>
  sql.begin(async (tx) => {
    await tx`set local lock_timeout = ${tx.unsafe(String(LOCK_TIMEOUT_MS))}`
    await tx`insert into search_marks (realm_id, indexed_up_to) values (${realm_id}, 0) on conflict do nothing`
    const [marks] = await tx<Marks[]>`
      select coalesce(s.terms_from, s.indexed_up_to) as from, coalesce(s.terms_up_to, s.indexed_up_to) as up_to,
        h.last_message_id as last
      from search_marks s join log_heads h on h.realm_id = s.realm_id
      where s.realm_id = ${realm_id}
      for update of s skip locked`
    return marks !== undefined && (await batch(tx, realm_id, marks))
  }) as Promise<boolean>

interface ReadMessage extends SearchedMessage {
  id: number
}

const indexNew: Batch = async (tx, realm_id, { from, up_to, last }) => {
  // A batch is a number of messages and not a range of ids, because many ids may have no message.
  const messages = await tx<ReadMessage[]>`
    select id, topic, rendered_content from messages
    where realm_id = ${realm_id} and id > ${up_to} and id <= ${last} order by id limit ${BATCH}`
  await insertTerms(tx, realm_id, messages)
  const isMore = messages.length === BATCH
  const mark = isMore ? (messages.at(-1) as ReadMessage).id : Math.max(up_to, last)
  await tx`update search_marks set terms_from = ${from}, terms_up_to = ${mark} where realm_id = ${realm_id}`
  return isMore
}

const indexOlder: Batch = async (tx, realm_id, { from }) => {
  if (from <= 0) return false
  const messages = await tx<ReadMessage[]>`
    select id, topic, rendered_content from messages
    where realm_id = ${realm_id} and id <= ${from} order by id desc limit ${BATCH}`
  await insertTerms(tx, realm_id, messages)
  const isMore = messages.length === BATCH
  const mark = isMore ? (messages.at(-1) as ReadMessage).id - 1 : 0
  await tx`update search_marks set terms_from = ${mark} where realm_id = ${realm_id}`
  return isMore
}

const insertTerms = async (tx: Transaction, realm_id: number, messages: readonly ReadMessage[]): Promise<void> => {
  const { ids, vectors } = await composeVectors(realm_id, messages)
  if (ids.length === 0) return
  await tx`
    insert into message_terms (realm_id, message_id, terms)
    select ${realm_id}, id, terms::tsvector from unnest(${ids}::bigint[], ${vectors}::text[]) as computed (id, terms)
    order by id
    on conflict do nothing`
}

const indexChanged: Batch = async (tx, realm_id) => {
  // The rows are locked before the texts are read (3).
  const changed = await tx<{ id: number }[]>`
    select message_id as id from message_terms where realm_id = ${realm_id} and terms is null
    order by message_id limit ${BATCH} for update skip locked`
  if (changed.length === 0) return false
  const all = changed.map(({ id }) => id)
  const messages = await tx<ReadMessage[]>`
    select id, topic, rendered_content from messages where realm_id = ${realm_id} and id = any(${all}::bigint[])`
  const { ids, vectors } = await composeVectors(realm_id, messages)
  await tx`
    update message_terms t set terms = computed.terms::tsvector
    from unnest(${ids}::bigint[], ${vectors}::text[]) as computed (id, terms)
    where t.realm_id = ${realm_id} and t.message_id = computed.id`
  const known = new Set(ids)
  const deleted = all.filter((id) => !known.has(id))
  if (deleted.length > 0)
    await tx`delete from message_terms where realm_id = ${realm_id} and message_id = any(${deleted}::bigint[])`
  return changed.length === BATCH
}

const composeVectors = async (realm_id: number, messages: readonly ReadMessage[]) => {
  const vectors: string[] = []
  for (const [i, message] of messages.entries()) {
    if (i % SLICE === SLICE - 1) await setImmediate()
    vectors.push(composeVector(String(realm_id), messageForms(message), bucketWords(realm_id, message.id)))
  }
  return { ids: messages.map(({ id }) => id), vectors }
}
