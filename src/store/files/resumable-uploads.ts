/**
 * Uploads in parts (tus). The parts can go to different replicas, and an interrupted upload can be continued.
 *
 * 1. A part is stored under a key of its own, and then its row is inserted. Only parts with a row count. If two parts
 *    arrive for the same offset, the lock on the upload's row orders them, and the second finds another offset.
 * 2. After the last part, the parts become one uploaded file and are deleted. If the process dies in between, the
 *    upload stays with all its bytes: the client then asks for the offset, and finishes the upload with an empty part.
 * 3. The size of an upload is reserved in the quota when it begins, and until its row is deleted: because it became a
 *    file, its user cancelled it, or no client continued it.
 * 4. An account has at most MAX_UNFINISHED uploads at a time, and an upload at most MAX_PARTS parts.
 */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { generatePathId } from '../../domain/files/file-links.js'
import { mayBeImage } from '../../domain/files/image-header.js'
import type { UserRow } from '../../domain/log/rows.js'
import type { UploadedImage } from '../../domain/markdown/context/render-context.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Realm } from '../log/realm.js'
import type { WriteContext } from '../log/write-context.js'
import type { Sql, Transaction } from '../sql.js'
import { addAttachmentRow } from './attachments.js'
import type { FileStorage } from './file-storage.js'
import { type AccountImages, inspectUpload } from './image-processing.js'
import { uploadKey } from './storage-keys.js'
import { checkUploadQuota, releaseSpace, reserveSpace } from './upload-quota.js'

export interface ResumableUpload {
  id: string
  owner_id: number
  name: string
  content_type: string
  size: number
  received: number
  parts: number
}

const MAX_UNFINISHED = 20
/** A client sends a new part when its connection was cut, or in chunks of a size of its own. */
const MAX_PARTS = 1_000

/** Begins an upload. Throws REALM_UPLOAD_QUOTA, and a 429 beyond MAX_UNFINISHED. @returns the id of the upload */
export const beginUpload = async (
  sql: Sql,
  realm: Realm,
  owner: UserRow,
  { name, content_type, size }: Pick<ResumableUpload, 'name' | 'content_type' | 'size'>,
): Promise<string> => {
  const id = randomBytes(18).toString('base64url')
  await sql.begin(async (tx) => {
    // The row that this locks orders all beginnings in the organization, so the count below is exact.
    await reserveSpace(tx, realm, size)
    const [own] = await tx<{ count: number }[]>`
      select count(*)::int as count from resumable_uploads where realm_id = ${realm.id} and owner_id = ${owner.id}`
    if ((own?.count ?? 0) >= MAX_UNFINISHED) throw errors.tooManyUploads({ limit: MAX_UNFINISHED })
    await tx`
      insert into resumable_uploads (realm_id, id, owner_id, name, content_type, size, touched)
      values (${realm.id}, ${id}, ${owner.id}, ${name}, ${content_type}, ${size}, ${Date.now()})`
  })
  return id
}

/** Loads an upload of a user. Returns undefined if the user has none with this id, or it is finished. */
export const findUpload = async (
  sql: Sql,
  realm_id: number,
  owner: UserRow,
  id: string,
): Promise<ResumableUpload | undefined> => {
  const [row] = await sql<ResumableUpload[]>`
    select id, owner_id, name, content_type, size, received, parts from resumable_uploads
    where realm_id = ${realm_id} and id = ${id} and owner_id = ${owner.id}`
  return row
}

/**
 * Adds a part. Throws BAD_REQUEST for a part that ends behind the end of the upload, and beyond MAX_PARTS.
 * @returns the bytes received so far; undefined: the upload is at another offset than `from` (1)
 */
export const addPart = async (
  sql: Sql,
  files: FileStorage,
  realm_id: number,
  { id, size, parts }: ResumableUpload,
  from: number,
  chunks: readonly Uint8Array[],
): Promise<number | undefined> => {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  if (from + length > size) throw errors.badRequest('This part ends after the Upload-Length of the upload.')
  if (parts >= MAX_PARTS && length > 0) throw errors.badRequest('This upload has too many parts: begin a new one.')
  const key = `resumable/${realm_id}/${id}/${from}-${randomBytes(6).toString('hex')}`
  // Not as one buffer: joining megabytes would stop the event loop for tens of milliseconds.
  if (length > 0) await files.putChunks(key, length, Readable.from(chunks))
  const received = await sql.begin(async (tx) => {
    const [row] = await tx<{ received: number }[]>`
      update resumable_uploads
      set received = received + ${length}, touched = ${Date.now()}, parts = parts + ${length > 0 ? 1 : 0}
      where realm_id = ${realm_id} and id = ${id} and received = ${from}
      returning received`
    if (row === undefined || length === 0) return row?.received
    await tx`
      insert into resumable_parts (realm_id, upload_id, "from", size, key)
      values (${realm_id}, ${id}, ${from}, ${length}, ${key})`
    return row.received
  })
  if (received === undefined && length > 0) await files.remove(key)
  return received
}

/**
 * Makes an uploaded file of the parts of a complete upload (2). Throws a 404 if another request has finished or deleted
 * the upload, REALM_UPLOAD_QUOTA, RATE_LIMIT_HIT, and StaleStateError.
 * @returns the path id of the file
 */
export const finishUpload = async (
  context: WriteContext,
  files: FileStorage,
  images: AccountImages,
  owner: UserRow,
  { id, name, content_type, size }: ResumableUpload,
): Promise<string> => {
  const { realm, sql } = context
  // The upload is reserved already, but the quota may have been lowered since.
  await checkUploadQuota(sql, realm, 0)
  const parts = await sql<{ key: string }[]>`
    select key from resumable_parts where realm_id = ${realm.id} and upload_id = ${id} order by "from"`
  const keys = parts.map(({ key }) => key)
  const path_id = generatePathId(realm.id, name)
  let image: UploadedImage | undefined
  try {
    image = await inspectParts(files, keys, images)
    await files.putChunks(uploadKey(path_id), size, readParts(files, keys))
  } catch (error) {
    // Parts are missing because another request has finished the upload, and deleted them.
    if ((await findUpload(sql, realm.id, owner, id)) === undefined) throw unknownUpload(id)
    throw error
  }
  let ended: string[] = []
  const file = { path_id, name, content_type, size, image: image ?? null }
  await addAttachmentRow(context, files, owner, file, async (tx) => {
    const found = await endUpload(tx, realm.id, id)
    if (found === undefined) throw unknownUpload(id)
    ended = found
  })
  await removeParts(files, ended)
  return path_id
}

const unknownUpload = (id: string) => errors.unknownPath({ path: `/tus/${id}` })

/** Bytes that are read to see whether an upload may be an image. */
const HEAD_BYTES = 4_096

/** The image in an upload; undefined: it has no preview. The whole upload is in memory only while its image is read. */
const inspectParts = async (
  files: FileStorage,
  keys: readonly string[],
  images: AccountImages,
): Promise<UploadedImage | undefined> => {
  if (!mayBeImage(await readBytes(files, keys, HEAD_BYTES))) return undefined
  return inspectUpload(images, () => readBytes(files, keys))
}

/** The bytes of an upload, or about the first `limit` of them. */
const readBytes = async (files: FileStorage, keys: readonly string[], limit = Number.POSITIVE_INFINITY) => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of readParts(files, keys)) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= limit) break
  }
  return Buffer.concat(chunks)
}

async function* readParts(files: FileStorage, keys: readonly string[]): AsyncIterable<Uint8Array> {
  for (const key of keys) {
    const part = await files.open(key)
    if (part === undefined) throw new Error('a part of an upload is gone')
    yield* part.bytes
  }
}

/** Deletes the row of an upload and those of its parts, and ends its reservation (3). @returns the keys of its parts */
const endUpload = async (
  tx: Transaction,
  realm_id: number,
  id: string,
  untouched_since = Number.MAX_SAFE_INTEGER,
): Promise<string[] | undefined> => {
  const [row] = await tx<{ size: number }[]>`
    delete from resumable_uploads where realm_id = ${realm_id} and id = ${id} and touched < ${untouched_since}
    returning size`
  if (row === undefined) return undefined
  await releaseSpace(tx, realm_id, row.size)
  const parts = await tx<{ key: string }[]>`
    delete from resumable_parts where realm_id = ${realm_id} and upload_id = ${id} returning key`
  return parts.map(({ key }) => key)
}

const removeParts = async (files: FileStorage, keys: readonly string[]): Promise<void> => {
  for (const key of keys) await files.remove(key)
}

/** Deletes an upload and its parts. */
export const removeUpload = async (sql: Sql, files: FileStorage, realm_id: number, id: string): Promise<void> => {
  await removeParts(files, (await sql.begin((tx) => endUpload(tx, realm_id, id))) ?? [])
}

/** How long an upload is kept after its last part, in milliseconds. */
export const UPLOAD_LIFETIME_MS = 86_400_000

/**
 * Deletes at most `limit` abandoned uploads. No client has continued them for UPLOAD_LIFETIME_MS.
 * @returns their number
 */
export const removeAbandonedUploads = async (sql: Sql, files: FileStorage, limit: number): Promise<number> => {
  const untouched_since = Date.now() - UPLOAD_LIFETIME_MS
  const rows = await sql<{ realm_id: number; id: string }[]>`
    select realm_id, id from resumable_uploads where touched < ${untouched_since} order by touched limit ${limit}`
  for (const { realm_id, id } of rows) {
    // A client may continue the upload just now.
    await removeParts(files, (await sql.begin((tx) => endUpload(tx, realm_id, id, untouched_since))) ?? [])
  }
  return rows.length
}
