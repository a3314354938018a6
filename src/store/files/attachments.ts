/**
 * Uploaded files: their rows. Which messages lead to them is in file-claims.ts.
 *
 * 1. The bytes are stored before the row, so a row always has its file.
 * 2. Who uploaded a file may read it, and so may everyone who may read a message that leads to it.
 * 3. `upload_usage` holds the bytes of all files of an organization: it changes with the rows, in one transaction.
 */
import { type AttachmentObject, attachmentAdded } from '../../domain/files/attachment-entries.js'
import type { UserRow } from '../../domain/log/rows.js'
import type { UploadedImage } from '../../domain/markdown/render-context.js'
import { errors } from '../../domain/protocol/errors.js'
import { commit } from '../log/change.js'
import type { Realm } from '../log/realm.js'
import type { WriteContext } from '../log/write-context.js'
import type { Reading } from '../messages/narrow/conditions.js'
import { isAnyVisible } from '../messages/narrow/reading.js'
import type { Db, Fragment, Sql, Transaction } from '../sql.js'
import type { FileStorage } from './file-storage.js'

export interface AttachmentRow {
  id: number
  owner_id: number
  path_id: string
  name: string
  content_type: string
  size: number
  create_time: number
  /** null: it is no picture */
  image: UploadedImage | null
}

/** A file as the rendering of a message found it. */
export type FoundAttachment = Pick<AttachmentRow, 'id' | 'image'>

/** The key of a file among all files: its address without the name, which may be anything. */
export const uploadKey = (path_id: string): string => `uploads/${keyOfPath(path_id)}`

/** The key of a smaller version of a picture among all files. */
export const thumbnailKey = (path_id: string, name: string): string => `thumbnails/${keyOfPath(path_id)}/${name}`

const keyOfPath = (path_id: string): string => path_id.split('/').slice(0, 2).join('/')

/**
 * Stores a file that a user uploaded. Throws REALM_UPLOAD_QUOTA, and StaleStateError.
 * @param also what is done in the same transaction
 */
export const addAttachment = async (
  context: WriteContext,
  files: FileStorage,
  owner: UserRow,
  given: Pick<AttachmentRow, 'path_id' | 'name' | 'content_type' | 'image'> & { data: Uint8Array },
  also: (tx: Transaction) => Promise<void> = async () => {},
): Promise<void> => {
  const { realm } = context
  const { data, path_id, name, content_type, image } = given
  await checkUploadQuota(context.sql, realm, data.length)
  const [taken] = await context.sql<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('attachments', 'id')) as id`
  if (taken === undefined) throw new Error('a sequence gave no number')
  const { id } = taken
  const create_time = Date.now()
  const size = data.length
  const attachment: AttachmentObject = { id, name, path_id, size, create_time, messages: [] }
  await files.put(uploadKey(path_id), data)
  const added = commit(context, {
    entries: [],
    async before(tx) {
      await also(tx)
      const upload_space_used = await addSpaceUsed(tx, realm.id, size)
      if (exceedsQuota(realm, upload_space_used)) throw errors.uploadQuota()
      await tx`
        insert into attachments (
          id, realm_id, owner_id, path_id, name, content_type, size, create_time, unclaimed_since, image
        )
        overriding system value
        values (
          ${id}, ${realm.id}, ${owner.id}, ${path_id}, ${name}, ${content_type}, ${size}, ${create_time}, ${create_time},
          ${image && JSON.stringify(image)}::text::jsonb
        )`
      return upload_space_used
    },
    told: (upload_space_used) => [attachmentAdded({ owner_id: owner.id, attachment, upload_space_used })],
    jobs: image === null ? [] : [{ kind: 'thumbnail', payload: { attachment_id: id } }],
  })
  await added.catch(async (error: unknown) => {
    await files.remove(uploadKey(path_id))
    throw error
  })
}

const MEBIBYTE = 1024 * 1024

/** Whether so many bytes more may come, before they do. Throws REALM_UPLOAD_QUOTA. */
export const checkUploadQuota = async (db: Db, realm: Realm, bytes: number): Promise<void> => {
  if (exceedsQuota(realm, (await loadSpaceUsed(db, realm.id)) + bytes)) throw errors.uploadQuota()
}

const exceedsQuota = ({ state: { realm } }: Realm, bytes: number): boolean =>
  realm.upload_quota_mib !== null && bytes > realm.upload_quota_mib * MEBIBYTE

/** Counts bytes that come, or go (3). @returns how many there are now */
export const addSpaceUsed = async (tx: Transaction, realm_id: number, bytes: number): Promise<number> => {
  const [row] = await tx<{ bytes: number }[]>`
    insert into upload_usage (realm_id, bytes) values (${realm_id}, ${bytes})
    on conflict (realm_id) do update set bytes = upload_usage.bytes + excluded.bytes
    returning bytes`
  return row?.bytes ?? 0
}

/** Bytes of all files of the organization (3). */
export const loadSpaceUsed = async (db: Db, realm_id: number): Promise<number> => {
  const [row] = await db<{ bytes: number }[]>`select bytes from upload_usage where realm_id = ${realm_id}`
  return row?.bytes ?? 0
}

/** The files that a user uploaded, newest first, with the messages that lead to them. Index: attachments_owner. */
export const loadUserAttachments = async (
  sql: Sql,
  realm_id: number,
  owner_id: number,
): Promise<AttachmentObject[]> => {
  const rows = await sql<AttachmentObject[]>`
    select ${shownColumns(sql)} from attachments a
    where a.realm_id = ${realm_id} and a.owner_id = ${owner_id}
    order by a.id desc`
  return rows.map(toAttachmentObject)
}

/** Files by their ids, as their owners see them; `is_kept`: a draft, or a message that is still to be sent, has it. */
export const loadAttachments = async (
  db: Db,
  realm_id: number,
  ids: readonly number[],
): Promise<{ owner_id: number; is_kept: boolean; attachment: AttachmentObject }[]> => {
  const rows = await db<(AttachmentObject & { owner_id: number; is_kept: boolean })[]>`
    select ${shownColumns(db)}, a.owner_id, ${isUsedByDraft(db)} as is_kept from attachments a
    where a.realm_id = ${realm_id} and a.id = any(${ids as number[]}::bigint[])
    order by a.id`
  return rows.map((row) => ({ owner_id: row.owner_id, is_kept: row.is_kept, attachment: toAttachmentObject(row) }))
}

/** Whether a draft or a message to be sent later leads to the file `a`. */
export const isUsedByDraft = (db: Db): Fragment => db`(
  exists (
    select from drafts d where d.realm_id = a.realm_id and strpos(d.content, a.path_id) > 0
  ) or exists (
    select from scheduled_messages s where s.realm_id = a.realm_id and strpos(s.content, a.path_id) > 0
  )
)`

const shownColumns = (db: Db): Fragment => db`
  a.id, a.name, a.path_id, a.size, a.create_time, ${messagesOf(db)} as messages`

const toAttachmentObject = ({
  id,
  name,
  path_id,
  size,
  create_time,
  messages,
}: AttachmentObject): AttachmentObject => ({
  id,
  name,
  path_id,
  size,
  create_time,
  messages,
})

const messagesOf = (db: Db) => db`
  (select coalesce(json_agg(json_build_object('id', m.id, 'date_sent', m.timestamp * 1000) order by m.id), '[]')
  from attachment_claims c join messages m on m.realm_id = c.realm_id and m.id = c.message_id
  where c.realm_id = a.realm_id and c.attachment_id = a.id)`

/** The file of this address, or of this id. */
export const findAttachment = async (
  sql: Sql,
  realm_id: number,
  which: { path_id: string } | { id: number },
): Promise<AttachmentRow | undefined> => {
  const condition = 'id' in which ? sql`id = ${which.id}` : sql`path_id = ${which.path_id}`
  const [row] = await sql<AttachmentRow[]>`
    select id, owner_id, path_id, name, content_type, size, create_time, image
    from attachments where realm_id = ${realm_id} and ${condition}`
  return row
}

/** Messages looked at to decide whether somebody may read a file; it is rarely in more than one. */
const MAX_CLAIMS = 500

/** Whether the reader may read the file (2). */
export const canReadFile = async (reading: Reading, { id, owner_id }: AttachmentRow): Promise<boolean> => {
  const { sql, state, reader } = reading
  if (reader?.id === owner_id) return true
  const claims = await sql<{ message_id: number }[]>`
    select message_id from attachment_claims
    where realm_id = ${state.realm.id} and attachment_id = ${id}
    order by message_id desc limit ${MAX_CLAIMS}`
  return isAnyVisible(
    reading,
    claims.map(({ message_id }) => message_id),
  )
}
