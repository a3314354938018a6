/**
 * Pictures of other sites, as this server keeps them for the readers of an organization.
 *
 * 1. A gateway opens no connection to another site: it writes a job, and a worker loads the picture, decodes it in the
 *    process for images, and stores it anew. What readers get is never the bytes that the other site sent.
 * 2. One job at a time loads a picture, however many readers ask in however many gateways. A gateway asks the database
 *    once for all its readers.
 * 3. A picture is kept for KEPT_SECONDS, and one that could not be loaded is not asked for again for FAILED_SECONDS.
 * 4. An organization keeps pictures within `externalPictureBounds`; those that were used last the longest ago go first.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { secondsNow } from '#rules/time.js'
import { writeJobs } from '../jobs/job-table.js'
import { transaction } from '../log/change.js'
import type { WriteDependencies } from '../log/write-context.js'
import type { Db, Sql } from '../sql.js'
import type { FileStorage } from './file-storage.js'
import { externalPictureKey } from './storage-keys.js'

/** A stored picture. */
export interface ExternalPicture {
  key: string
  content_type: string
  size: number
}

/** What is known of a picture: it is stored, is being loaded, could not be loaded, or nobody asked for it yet. */
export type PictureState = ExternalPicture | 'loading' | 'failed' | 'unknown'

const DAY_SECONDS = 86_400
const KEPT_SECONDS = 7 * DAY_SECONDS
const FAILED_SECONDS = 600
/** A job that takes longer was lost: the next reader writes another one. */
const LOST_SECONDS = 120
const USED_SECONDS = 3_600
/** Of one organization (4). */
export const externalPictureBounds = { bytes: 512 * 1024 * 1024, pictures: 20_000 }

/** How long a reader waits for a picture, and between two queries for it. */
const MAX_WAIT_MS = 15_000
const FIRST_PAUSE_MS = 25
const MAX_PAUSE_MS = 400

/** The id of the picture at an address. */
export const pictureId = (url: string): string => createHash('sha256').update(url).digest('base64url')

interface Row {
  key: string | null
  content_type: string | null
  size: number
  asked_at: number
  is_loading: boolean
  used_at: number
}

/** Finds a picture, and notes that it is used. Index: key. */
export const findExternalPicture = async (sql: Sql, realm_id: number, id: string): Promise<PictureState> => {
  const [row] = await sql<Row[]>`
    select key, content_type, size, asked_at, is_loading, used_at from external_pictures
    where realm_id = ${realm_id} and id = ${id}`
  if (row === undefined) return 'unknown'
  const now = secondsNow()
  const age = now - row.asked_at
  if (row.is_loading) return age > LOST_SECONDS ? 'unknown' : 'loading'
  const { key, content_type, size } = row
  if (key === null || content_type === null) return age > FAILED_SECONDS ? 'unknown' : 'failed'
  if (age > KEPT_SECONDS) return 'unknown'
  if (now - row.used_at > USED_SECONDS)
    await sql`update external_pictures set used_at = ${now} where realm_id = ${realm_id} and id = ${id}`
  return { key, content_type, size }
}

/** Writes the job that loads a picture, unless another reader did. Throws StaleStateError. */
export const requestExternalPicture = async (
  { sql, enqueueJobs }: Pick<WriteDependencies, 'sql' | 'enqueueJobs'>,
  realm_id: number,
  url: string,
): Promise<void> => {
  const id = pictureId(url)
  const now = secondsNow()
  const jobs = await transaction(sql, async (tx) => {
    const begun = await tx`
      insert into external_pictures as p (realm_id, id, asked_at, is_loading, used_at)
      values (${realm_id}, ${id}, ${now}, true, ${now})
      on conflict (realm_id, id) do update set asked_at = excluded.asked_at, is_loading = true, used_at = excluded.used_at
      where p.asked_at < ${now} - case
        when p.is_loading then ${LOST_SECONDS}::int when p.key is null then ${FAILED_SECONDS}::int
        else ${KEPT_SECONDS}::int
      end
      returning id`
    return begun.count === 0 ? [] : writeJobs(tx, realm_id, [{ kind: 'external_picture', payload: { url } }])
  })
  enqueueJobs(jobs)
}

/** Waits until a picture was loaded. */
export const awaitExternalPicture = async (sql: Sql, realm_id: number, id: string): Promise<PictureState> => {
  const end = performance.now() + MAX_WAIT_MS
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    const state = await findExternalPicture(sql, realm_id, id)
    if (state !== 'loading' || performance.now() >= end) return state
    await sleep(pause)
  }
}

/**
 * Stores the bytes of a picture that is being loaded. They take the place of former bytes, which no client can read
 * meanwhile.
 * A job that runs twice stores under the same key.
 * @returns undefined: nobody waits for it any more
 */
export const storeExternalPicture = async (
  sql: Sql,
  files: FileStorage,
  realm_id: number,
  id: string,
  { content_type, bytes }: { content_type: string; bytes: Uint8Array },
): Promise<ExternalPicture | undefined> => {
  const [row] = await sql<Pick<Row, 'key' | 'asked_at'>[]>`
    select key, asked_at from external_pictures where realm_id = ${realm_id} and id = ${id} and is_loading`
  if (row === undefined) return undefined
  const key = externalPictureKey(realm_id, id, row.asked_at)
  await files.put(key, bytes)
  if (row.key !== null && row.key !== key) await files.remove(row.key)
  return { key, content_type, size: bytes.length }
}

/** Notes how the loading of a picture ended. @param picture undefined: it could not be loaded */
export const finishExternalPicture = async (
  db: Db,
  realm_id: number,
  id: string,
  picture: ExternalPicture | undefined,
): Promise<void> => {
  const { key = null, content_type = null, size = 0 } = picture ?? {}
  await db`
    update external_pictures set key = ${key}, content_type = ${content_type}, size = ${size},
      asked_at = ${secondsNow()}, is_loading = false
    where realm_id = ${realm_id} and id = ${id}`
}

/** Forgets a picture whose file is gone. */
export const forgetExternalPicture = (sql: Sql, realm_id: number, id: string, key: string): Promise<unknown> =>
  sql`delete from external_pictures where realm_id = ${realm_id} and id = ${id} and key = ${key}`

/**
 * Removes the pictures beyond the bounds of an organization (4). It removes the files first, because the rows name
 * them.
 */
export const removeExcessPictures = async (
  sql: Sql,
  files: FileStorage,
  realm_id: number,
  { bytes, pictures } = externalPictureBounds,
): Promise<void> => {
  const rows = await sql<{ id: string; key: string | null }[]>`
    select id, key from (
      select id, key, sum(size) over newest as bytes, row_number() over newest as number
      from external_pictures where realm_id = ${realm_id} and not is_loading
      window newest as (order by used_at desc, asked_at desc, id)
    ) p where bytes > ${bytes} or number > ${pictures}`
  await removePictures(
    sql,
    files,
    rows.map((row) => ({ ...row, realm_id })),
  )
}

/** Removes pictures of all organizations that are too old to be shown (3). @returns how many there were */
export const removeOldPictures = async (sql: Sql, files: FileStorage, limit: number): Promise<number> => {
  const now = secondsNow()
  const rows = await sql<{ realm_id: number; id: string; key: string | null }[]>`
    select realm_id, id, key from external_pictures where asked_at < ${now - KEPT_SECONDS} order by asked_at limit ${limit}`
  await removePictures(sql, files, rows)
  return rows.length
}

const removePictures = async (
  sql: Sql,
  files: FileStorage,
  rows: readonly { realm_id: number; id: string; key: string | null }[],
): Promise<void> => {
  for (const { realm_id, id, key } of rows) {
    if (key !== null) await files.remove(key)
    await sql`
      delete from external_pictures where realm_id = ${realm_id} and id = ${id} and key is not distinct from ${key}`
  }
}
