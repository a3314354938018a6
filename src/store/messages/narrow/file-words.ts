/**
 * The words of uploaded files for full-text search.
 *
 * 1. A job reads a file after a message has linked to it (workers/files/file-words.ts). `is_read` in the file's row
 *    says that this happened, also if the file has no words.
 * 2. A message has the words of a file while it claims it, and the message decides who may find them. Nothing finds the
 *    words of a file without claims, and they are deleted with its last claim, or with the file.
 * 3. A search finds a message if its text has all words, or one of its files has all of them: the words of both are not
 *    added up. The name of a file is a part of its words.
 * 4. The words of a file include the buckets of the messages that claim it (search-index.ts, 4), so a search reads only
 *    the files near an edge. Buckets of former claims do no harm.
 */
import { type JobSpec, type QueuedJob, writeJobs } from '../../jobs/job-table.js'
import type { Db, Fragment, Sql, Transaction } from '../../sql.js'
import { LARGE, SMALL } from './buckets.js'

/** A file that is to be read. */
export interface UnreadFile {
  id: number
  owner_id: number
  path_id: string
  name: string
  size: number
}

/** Finds a file that a message claims, and that was not read (1). */
export const findFileToRead = async (sql: Sql, realm_id: number, id: number): Promise<UnreadFile | undefined> => {
  const [file] = await sql<UnreadFile[]>`
    select a.id, a.owner_id, a.path_id, a.name, a.size from attachments a
    where a.realm_id = ${realm_id} and a.id = ${id} and ${isToRead(sql)}`
  return file
}

/** Whether the file `a` is to be read: pictures have no words. */
const isToRead = (db: Db): Fragment => db`(a.unclaimed_since is null and not a.is_read and a.image is null)`

/** Those of the files that are to be read. */
export const loadFilesToRead = async (tx: Transaction, realm_id: number, ids: readonly number[]): Promise<number[]> => {
  const rows = await tx<{ id: number }[]>`
    select a.id from attachments a
    where a.realm_id = ${realm_id} and a.id = any(${ids as number[]}::bigint[]) and ${isToRead(tx)}`
  return rows.map(({ id }) => id)
}

/**
 * Stores the words of a file, unless it was read or lost its claims meanwhile.
 * @param vector as `composeFileVector` returns it
 * @returns whether they were stored
 */
export const storeFileWords = async (
  tx: Transaction,
  realm_id: number,
  id: number,
  vector: string,
): Promise<boolean> => {
  // The lock keeps out messages that claim the file, or give it up, at the same time (sending/file-claims.ts, 2).
  const [file] = await tx`
    select from attachments a where a.realm_id = ${realm_id} and a.id = ${id} and ${isToRead(tx)} for no key update`
  if (file === undefined) return false
  await tx`
    insert into file_words (realm_id, attachment_id, words)
    select ${realm_id}, ${id}, ${vector}::tsvector || ${toVector(
      tx,
      tx`(
        select array_agg(distinct bucket) from attachment_claims c, unnest(${bucketsOf(tx, tx`c.message_id`)}) as bucket
        where c.realm_id = ${realm_id} and c.attachment_id = ${id}
      )`,
    )}
    on conflict (realm_id, attachment_id) do update set words = excluded.words`
  await tx`update attachments set is_read = true where realm_id = ${realm_id} and id = ${id}`
  return true
}

/** The words of the buckets of a message; the realm is that of `c`. */
const bucketsOf = (db: Db, message_id: Fragment): Fragment => {
  const word = (size: number) => {
    const power = db.unsafe(String(size))
    return db`c.realm_id || '@${power}.' || (${message_id} >> ${power})`
  }
  return db`array[${word(SMALL)}, ${word(LARGE)}]`
}

const toVector = (db: Db, words: Fragment): Fragment => db`array_to_tsvector(coalesce(${words}, '{}'))`

/** Adds the buckets of a message that claims files which were read before (4). */
export const addMessageOfFiles = (
  tx: Transaction,
  realm_id: number,
  message_id: number,
  ids: readonly number[],
): Promise<unknown> => {
  const buckets = toVector(tx, bucketsOf(tx, tx`${message_id}::bigint`))
  return tx`
    update file_words c set words = c.words || ${buckets}
    where c.realm_id = ${realm_id} and c.attachment_id = any(${ids as number[]}::bigint[])
      and not tsvector_to_array(${buckets}) <@ tsvector_to_array(c.words)`
}

/** Deletes the words of files that no message claims any more (2). A file that is claimed again is read again. */
export const forgetFileWords = async (tx: Transaction, realm_id: number, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await tx`
    update attachments set is_read = false
    where realm_id = ${realm_id} and id = any(${ids as number[]}::bigint[]) and is_read`
  await deleteFileWords(tx, realm_id, ids)
}

/** Deletes the words of files. */
export const deleteFileWords = (tx: Transaction, realm_id: number, ids: readonly number[]): Promise<unknown> => tx`
  delete from file_words where realm_id = ${realm_id} and attachment_id = any(${ids as number[]}::bigint[])`

/** Jobs that read files which former releases left, at the same time. */
const MAX_OPEN_JOBS = 100

/**
 * Writes jobs for files that are to be read and have none. These are files to which messages of former releases link.
 * It can be interrupted at any time, because the files themselves say what is left. Index: attachments_unread.
 * @returns the jobs, for the queue
 */
export const writeJobsOfUnreadFiles = (sql: Sql): Promise<QueuedJob[]> =>
  sql.begin(async (tx) => {
    const rows = await tx<{ realm_id: number; id: number }[]>`
      with open as materialized (
        select realm_id, (payload ->> 'attachment_id')::bigint as id from jobs
        where done_at is null and kind = 'file_words'
      )
      select a.realm_id, a.id from attachments a join realms r on r.id = a.realm_id
      where r.is_active and ${isToRead(tx)} and (select count(*) from open) < ${MAX_OPEN_JOBS}
        and not exists (select from open o where o.realm_id = a.realm_id and o.id = a.id)
      limit ${MAX_OPEN_JOBS}`
    const written: QueuedJob[] = []
    for (const realm_id of new Set(rows.map((row) => row.realm_id))) {
      const ids = rows.filter((row) => row.realm_id === realm_id).map(({ id }) => id)
      const jobs: JobSpec[] = ids.map((attachment_id) => ({ kind: 'file_words', payload: { attachment_id } }))
      written.push(...(await writeJobs(tx, realm_id, jobs)))
    }
    return written
  }) as Promise<QueuedJob[]>
