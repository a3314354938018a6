/**
 * The index of words of the previous release, with English stems by Postgres.
 *
 * 1. A search asks it for messages of before the upgrade that the new index (search-index.ts) does not have yet.
 * 2. The previous release searches in it, so a changed message is written to it too.
 *
 * The next release drops this file with the table message_words.
 */
import type { Db, Fragment, Transaction } from '../../sql.js'
import { LARGE, SMALL } from './buckets.js'

/** The words of `m`. HTML tags are skipped. */
const messageWords = (sql: Db): Fragment => sql`
  ${englishStems(sql, sql`m.realm_id`, sql`m.topic || ' ' || m.rendered_content`)} || array[
    m.realm_id || '@${sql.unsafe(String(SMALL))}.' || (m.id >> ${SMALL}::int),
    m.realm_id || '@${sql.unsafe(String(LARGE))}.' || (m.id >> ${LARGE}::int)
  ]`

/** The stems in a text, as words of the realm. */
export const englishStems = (sql: Db, realm_id: Fragment, text: Fragment): Fragment => sql`
  array(select ${realm_id} || ':' || stem from unnest(tsvector_to_array(to_tsvector('english', ${text}))) as stem)`

/** Writes the words of messages that were changed (2). */
export const rewriteWords = (tx: Transaction, realm_id: number, ids: readonly number[]): Promise<unknown> => tx`
  insert into message_words (realm_id, message_id, words)
  select ${realm_id}, m.id, ${messageWords(tx)} from messages m
  where m.realm_id = ${realm_id} and m.id = any(${ids as number[]}::bigint[])
  on conflict (realm_id, message_id) do update set words = excluded.words`
