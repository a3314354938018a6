/**
 * The uploaded files that messages link to. A message claims the files that it links to, and every user who may read
 * the message may read its files.
 *
 * 1. A message claims only files that its sender may read. Otherwise a sender who knows a leaked address could open the
 *    file to the recipients of a message.
 * 2. Claims change in the transaction that stores, edits or deletes the message. It locks the rows of the files first,
 *    by id, before the log's head: so an entry about a file is true at its place in the log.
 * 3. A file that is not a picture is read for the search by a job when a message claims it for the first time. Its
 *    words are removed when no message claims it any more (narrow/file-words.ts).
 */
import { type AttachmentObject, attachmentUpdated } from '../../../domain/files/attachment-entries.js'
import type { NewEntry } from '../../../domain/log/entry.js'
import { type AttachmentRow, canReadFile, type FoundAttachment, loadAttachments } from '../../files/attachments.js'
import { loadSpaceUsed } from '../../files/upload-quota.js'
import { type JobSpec, writeJobs } from '../../jobs/job-table.js'
import { lockHead, placeEntries, StaleStateError, writeEntries } from '../../log/log.js'
import type { Sql, Transaction } from '../../sql.js'
import type { ReadContext } from '../narrow/conditions.js'
import { addMessageOfFiles, forgetFileWords, loadFilesToRead } from '../narrow/file-words.js'
import { type Send, type StoredSends, storeSends } from './send-combiner.js'

/** Loads those files that the sender of a message may read and so may share (1). */
export const loadShareableFiles = async (
  context: ReadContext,
  path_ids: readonly string[],
): Promise<AttachmentRow[]> => {
  if (path_ids.length === 0) return []
  const { sql, state } = context
  const rows = await sql<AttachmentRow[]>`
    select id, owner_id, path_id, name, content_type, size, create_time, image
    from attachments where realm_id = ${state.realm.id} and path_id = any(${path_ids as string[]})`
  const verdicts = await Promise.all(rows.map((row) => canReadFile(context, row)))
  return rows.filter((_, i) => verdicts[i])
}

/**
 * Stores a message with links to files and its claims. It also stores an entry for each uploader. Throws
 * StaleStateError.
 */
export const storeWithFiles = async (tx: Transaction, realm_id: number, send: Send): Promise<StoredSends> => {
  const { files = [], guard } = send
  if (files.length === 0) return storeSends(tx, realm_id, [send])
  const ids = files.map(({ id }) => id)
  await lockFiles(tx, realm_id, ids, files)
  const stored = await storeSends(tx, realm_id, [send])
  const jobs = await writeJobs(tx, realm_id, await addClaims(tx, realm_id, composeClaims(stored.first, ids)))
  const entries = await buildFileUpdates(tx, realm_id, ids)
  const head = await lockHead(tx, realm_id, { count: entries.length, messages: 0, guard, structural: false })
  const updates = placeEntries(entries, head.log_seq)
  await writeEntries(tx, realm_id, updates)
  return { ...stored, entries: [...stored.entries, ...updates], jobs: [...stored.jobs, ...jobs] }
}

/** The result of an edit for the claims of a message. */
export interface ReclaimResult {
  entries: NewEntry[]
  jobs: JobSpec[]
  /** the sender's files that no message claims any more */
  detached: AttachmentObject[]
}

/** Replaces the files that a message claims. Throws StaleStateError when one of them has changed. */
export const reclaimFiles = async (
  tx: Transaction,
  realm_id: number,
  message: { id: number; sender_id: number },
  files: readonly FoundAttachment[],
): Promise<ReclaimResult> => {
  const previous = (
    await tx<{ id: number }[]>`
      select attachment_id as id from attachment_claims where realm_id = ${realm_id} and message_id = ${message.id}`
  ).map(({ id }) => id)
  const claimedIds = files.map(({ id }) => id)
  if (previous.length + claimedIds.length === 0) return { entries: [], jobs: [], detached: [] }
  await lockFiles(tx, realm_id, [...previous, ...claimedIds], files)
  const removedIds = previous.filter((id) => !claimedIds.includes(id))
  const addedIds = claimedIds.filter((id) => !previous.includes(id))
  await tx`
    delete from attachment_claims
    where realm_id = ${realm_id} and message_id = ${message.id} and attachment_id = any(${removedIds}::bigint[])`
  const jobs = await addClaims(tx, realm_id, composeClaims(message.id, addedIds))
  const left = await markUnclaimed(tx, realm_id, removedIds)
  const detached = left.length === 0 ? [] : await loadAttachments(tx, realm_id, left)
  return {
    entries: await buildFileUpdates(tx, realm_id, [...removedIds, ...addedIds]),
    jobs,
    detached: detached
      .filter(({ owner_id, is_kept }) => owner_id === message.sender_id && !is_kept)
      .map(({ attachment }) => attachment),
  }
}

/** A file that a message claims. */
export interface FileClaim {
  message_id: number
  /** of the attachment */
  id: number
}

/** Removes the claims of deleted messages. @returns them, and the entries for uploaders */
export const removeClaims = async (
  tx: Transaction,
  realm_id: number,
  message_ids: readonly number[],
): Promise<{ entries: NewEntry[]; claims: FileClaim[] }> => {
  const claims = await tx<{ id: number }[]>`
    select distinct attachment_id as id from attachment_claims
    where realm_id = ${realm_id} and message_id = any(${message_ids as number[]}::bigint[])`
  if (claims.length === 0) return { entries: [], claims: [] }
  const ids = claims.map(({ id }) => id)
  await lockFiles(tx, realm_id, ids, [])
  const removed = await tx<FileClaim[]>`
    delete from attachment_claims
    where realm_id = ${realm_id} and message_id = any(${message_ids as number[]}::bigint[])
    returning message_id, attachment_id as id`
  await markUnclaimed(tx, realm_id, ids)
  return { entries: await buildFileUpdates(tx, realm_id, ids), claims: removed }
}

/**
 * Restores the claims of restored messages. Files that were deleted meanwhile are left out. Throws StaleStateError.
 * @returns the files, for the entries when the messages are stored, and the jobs that read them
 */
export const restoreClaims = async (
  tx: Transaction,
  realm_id: number,
  claims: readonly FileClaim[],
): Promise<{ ids: number[]; jobs: JobSpec[] }> => {
  if (claims.length === 0) return { ids: [], jobs: [] }
  const ids = [...new Set(claims.map(({ id }) => id))]
  await lockFiles(tx, realm_id, ids, [])
  const rows = await tx<{ id: number }[]>`
    select id from attachments where realm_id = ${realm_id} and id = any(${ids}::bigint[])`
  const present = new Set(rows.map(({ id }) => id))
  const jobs = await addClaims(
    tx,
    realm_id,
    claims.filter(({ id }) => present.has(id)),
  )
  return { ids: [...present], jobs }
}

/** Locks the files' rows (2). Throws StaleStateError when one is not as it was when the message was rendered. */
const lockFiles = async (
  tx: Transaction,
  realm_id: number,
  ids: readonly number[],
  expected: readonly FoundAttachment[],
): Promise<void> => {
  const rows = await tx<FoundAttachment[]>`
    select id, image from attachments
    where realm_id = ${realm_id} and id = any(${ids as number[]}::bigint[])
    order by id for no key update`
  const held = new Map(rows.map(({ id, image }) => [id, image?.thumbnail]))
  const isAsExpected = ({ id, image }: FoundAttachment) => held.has(id) && held.get(id) === image?.thumbnail
  if (!expected.every(isAsExpected)) throw new StaleStateError()
}

const composeClaims = (message_id: number, ids: readonly number[]): FileClaim[] => ids.map((id) => ({ message_id, id }))

/** Adds claims of messages. @returns the jobs that read files for the search (3) */
const addClaims = async (tx: Transaction, realm_id: number, claims: readonly FileClaim[]): Promise<JobSpec[]> => {
  if (claims.length === 0) return []
  const message_ids = claims.map(({ message_id }) => message_id)
  const ids = claims.map(({ id }) => id)
  await tx`
    insert into attachment_claims (realm_id, attachment_id, message_id)
    select ${realm_id}, id, message_id from unnest(${message_ids}::bigint[], ${ids}::bigint[]) as c (message_id, id)`
  await tx`
    update attachments set unclaimed_since = null
    where realm_id = ${realm_id} and id = any(${ids}::bigint[]) and unclaimed_since is not null`
  for (const message_id of new Set(message_ids)) {
    const own = claims.filter((claim) => claim.message_id === message_id)
    await addMessageOfFiles(
      tx,
      realm_id,
      message_id,
      own.map(({ id }) => id),
    )
  }
  const unread = await loadFilesToRead(tx, realm_id, ids)
  return unread.map((attachment_id) => ({ kind: 'file_words', payload: { attachment_id } }))
}

/** Sets `unclaimed_since` of those files that no message claims any more. @returns their ids */
const markUnclaimed = async (tx: Transaction, realm_id: number, ids: readonly number[]): Promise<number[]> => {
  if (ids.length === 0) return []
  const rows = await tx<{ id: number }[]>`
    update attachments a set unclaimed_since = ${Date.now()}
    where a.realm_id = ${realm_id} and a.id = any(${ids as number[]}::bigint[])
      and not exists (select from attachment_claims c where c.realm_id = a.realm_id and c.attachment_id = a.id)
    returning a.id`
  const left = rows.map(({ id }) => id)
  await forgetFileWords(tx, realm_id, left)
  return left
}

/** The entries that tell the uploaders the present state of the files. */
export const buildFileUpdates = async (
  tx: Transaction,
  realm_id: number,
  ids: readonly number[],
): Promise<NewEntry[]> => {
  if (ids.length === 0) return []
  const upload_space_used = await loadSpaceUsed(tx, realm_id)
  const rows = await loadAttachments(tx as unknown as Sql, realm_id, ids)
  return rows.map(({ owner_id, attachment }) => attachmentUpdated({ owner_id, attachment, upload_space_used }))
}
