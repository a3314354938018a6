/** The part of a search that finds messages by the words of the files to which they link (file-words.ts). */
import { composeQuery } from '../../../domain/search/index-text.js'
import type { SearchQuery } from '../../../domain/search/query.js'
import type { Db, Fragment, Sql } from '../../sql.js'

/** Whether a file of the realm has all terms. @param all the terms as a value of the type tsquery */
export const hasFile = (sql: Db, all: string): Fragment =>
  sql`exists (select from file_words where words @@ ${all}::tsquery)`

/** Whether a file of the message with this id has all terms. Indexes: attachment_claims_message, file_words' key. */
export const hasFileOfMessage = (sql: Db, realm_id: number, id: Fragment, all: string): Fragment => sql`exists (
  select from attachment_claims c join file_words f on f.realm_id = c.realm_id and f.attachment_id = c.attachment_id
  where c.realm_id = ${realm_id} and c.message_id = ${id} and f.words @@ ${all}::tsquery
  offset 0
)`

/** Selects the ids of the messages in the stretch whose files have all terms. Indexes: file_words_words, then keys. */
export const selectFileHits = (
  sql: Db,
  realm_id: number,
  all: string,
  { from, to, buckets }: { from: number; to: number; buckets?: readonly string[] | undefined },
): Fragment => {
  const inBuckets =
    buckets === undefined ? sql`` : sql`and words @@ ${buckets.map((bucket) => `'${bucket}'`).join(' | ')}::tsquery`
  return sql`
    select c.message_id as id from (
      select attachment_id from file_words where realm_id = ${realm_id} and words @@ ${all}::tsquery ${inBuckets} offset 0
    ) f cross join lateral (
      select message_id from attachment_claims
      where realm_id = ${realm_id} and attachment_id = f.attachment_id and message_id >= ${from} and message_id < ${to}
      offset 0
    ) c`
}

/** A file in which a search found its words. */
export interface MatchingFile {
  name: string
  url: string
}

/** Loads the files of these messages that have all terms, by message. */
export const loadMatchingFiles = async (
  sql: Sql,
  realm_id: number,
  query: SearchQuery,
  message_ids: readonly number[],
): Promise<ReadonlyMap<number, MatchingFile[]>> => {
  const found = new Map<number, MatchingFile[]>()
  if (query.terms.length === 0 || message_ids.length === 0) return found
  const all = composeQuery(String(realm_id), query.terms)
  const rows = await sql<{ message_id: number; name: string; path_id: string }[]>`
    select c.message_id, a.name, a.path_id
    from attachment_claims c
    join file_words f on f.realm_id = c.realm_id and f.attachment_id = c.attachment_id
    join attachments a on a.realm_id = c.realm_id and a.id = c.attachment_id
    where c.realm_id = ${realm_id} and c.message_id = any(${message_ids as number[]}::bigint[])
      and f.words @@ ${all}::tsquery
    order by c.message_id, a.id`
  for (const { message_id, name, path_id } of rows)
    found.set(message_id, [...(found.get(message_id) ?? []), { name, url: `/user_uploads/${path_id}` }])
  return found
}
