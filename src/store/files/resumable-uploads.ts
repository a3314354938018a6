/**
 * Uploads in parts (tus). The parts can go to different replicas, and an interrupted upload can be continued.
 *
 * 1. A part is stored under a key of its own, and then its row is inserted. Only parts with a row count. If two parts
 *    arrive for the same offset, the lock on the upload's row orders them, and the second finds another offset.
 * 2. After the last part, the parts become one uploaded file and are deleted. If the process dies in between, the upload
 *    stays with all its bytes: the client then asks for the offset, and finishes the upload with an empty part.
 */
import { randomBytes } from 'node:crypto'
import { createPathId } from '../../domain/files/file-links.js'
import type { UserRow } from '../../domain/log/rows.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Realm } from '../log/realm.js'
import type { WriteContext } from '../log/write-context.js'
import type { Sql } from '../sql.js'
import { addAttachment } from './attachments.js'
import type { FileStorage } from './file-storage.js'
import { inspectUpload } from './image-processing.js'
import { checkUploadQuota } from './upload-quota.js'

export interface ResumableUpload {
  id: string
  owner_id: number
  name: string
  content_type: string
  size: number
  received: number
}

/** Begins an upload. Throws REALM_UPLOAD_QUOTA. @returns the id of the upload */
export const beginUpload = async (
  sql: Sql,
  realm: Realm,
  owner: UserRow,
  { name, content_type, size }: Pick<ResumableUpload, 'name' | 'content_type' | 'size'>,
): Promise<string> => {
  await checkUploadQuota(sql, realm, size)
  const id = randomBytes(18).toString('base64url')
  await sql`
    insert into resumable_uploads (realm_id, id, owner_id, name, content_type, size, touched)
    values (${realm.id}, ${id}, ${owner.id}, ${name}, ${content_type}, ${size}, ${Date.now()})`
  return id
}

/** Loads an upload of a user; undefined: the user has none with this id, or it is finished. */
export const findUpload = async (
  sql: Sql,
  realm_id: number,
  owner: UserRow,
  id: string,
): Promise<ResumableUpload | undefined> => {
  const [row] = await sql<ResumableUpload[]>`
    select id, owner_id, name, content_type, size, received from resumable_uploads
    where realm_id = ${realm_id} and id = ${id} and owner_id = ${owner.id}`
  return row
}

/** Adds a part. @returns the bytes received so far; undefined: the upload is at another offset than `from` (1) */
export const addPart = async (
  sql: Sql,
  files: FileStorage,
  realm_id: number,
  { id, size }: ResumableUpload,
  from: number,
  bytes: Uint8Array,
): Promise<number | undefined> => {
  if (from + bytes.length > size) throw errors.badRequest('This part ends after the Upload-Length of the upload.')
  const key = `resumable/${realm_id}/${id}/${from}-${randomBytes(6).toString('hex')}`
  if (bytes.length > 0) await files.put(key, bytes)
  const received = await sql.begin(async (tx) => {
    const [row] = await tx<{ received: number }[]>`
      update resumable_uploads set received = received + ${bytes.length}, touched = ${Date.now()}
      where realm_id = ${realm_id} and id = ${id} and received = ${from}
      returning received`
    if (row === undefined || bytes.length === 0) return row?.received
    await tx`
      insert into resumable_parts (realm_id, upload_id, "from", size, key)
      values (${realm_id}, ${id}, ${from}, ${bytes.length}, ${key})`
    return row.received
  })
  if (received === undefined && bytes.length > 0) await files.remove(key)
  return received
}

/**
 * Makes an uploaded file of the parts of a complete upload (2). Throws REALM_UPLOAD_QUOTA, and StaleStateError.
 * @returns the path id of the file
 */
export const finishUpload = async (
  context: WriteContext,
  files: FileStorage,
  owner: UserRow,
  { id, name, content_type, size }: ResumableUpload,
): Promise<string> => {
  const { realm } = context
  const parts = await loadPartKeys(context.sql, realm.id, id)
  const pieces = await Promise.all(parts.map(({ key }) => files.get(key)))
  const data = Buffer.concat(pieces.filter((piece) => piece !== undefined))
  if (data.length !== size) throw new Error(`parts of an upload are gone: ${data.length} of ${size} bytes are there`)
  const path_id = createPathId(realm.id, name)
  const image = (await inspectUpload(data)) ?? null
  await addAttachment(context, files, owner, { path_id, name, content_type, data, image }, async (tx) => {
    const ended = await tx`delete from resumable_uploads where realm_id = ${realm.id} and id = ${id}`
    // Another request with the last part has finished the upload.
    if (ended.count === 0) throw errors.unknownPath({ path: `/tus/${id}` })
  })
  await removeUpload(context.sql, files, realm.id, id)
  return path_id
}

const loadPartKeys = (sql: Sql, realm_id: number, upload_id: string) => sql<{ key: string }[]>`
  select key from resumable_parts where realm_id = ${realm_id} and upload_id = ${upload_id} order by "from"`

/** Deletes an upload and its parts. */
export const removeUpload = async (sql: Sql, files: FileStorage, realm_id: number, id: string): Promise<void> => {
  await sql`delete from resumable_uploads where realm_id = ${realm_id} and id = ${id}`
  const parts = await sql<{ key: string }[]>`
    delete from resumable_parts where realm_id = ${realm_id} and upload_id = ${id} returning key`
  await Promise.all(parts.map(({ key }) => files.remove(key)))
}

/** How long an upload is kept after its last part, in milliseconds. */
export const UPLOAD_LIFETIME_MS = 86_400_000

/** Deletes uploads that no client has continued for UPLOAD_LIFETIME_MS, at most `limit`. @returns their number */
export const removeAbandonedUploads = async (sql: Sql, files: FileStorage, limit: number): Promise<number> => {
  const rows = await sql<{ realm_id: number; id: string }[]>`
    select realm_id, id from resumable_uploads where touched < ${Date.now() - UPLOAD_LIFETIME_MS}
    order by touched limit ${limit}`
  for (const { realm_id, id } of rows) await removeUpload(sql, files, realm_id, id)
  return rows.length
}
