/**
 * The rows of uploaded files. file-claims.ts stores which messages link to them.
 *
 * 1. The bytes are stored before the row is inserted, so every row has its file.
 * 2. A user can read a file that they uploaded, and a file that a message links to which they can read.
 */
import { type AttachmentObject, attachmentAdded } from '../../domain/files/attachment-entries.js'
import type { UserRow } from '../../domain/log/rows.js'
import type { UploadedImage } from '../../domain/markdown/context/render-context.js'
import { commit } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import type { ReadContext } from '../messages/narrow/conditions.js'
import { isAnyReadable } from '../messages/narrow/load-messages.js'
import type { Db, Fragment, Sql, Transaction } from '../sql.js'
import type { FileStorage } from './file-storage.js'
import { uploadKey } from './storage-keys.js'
import { checkUploadQuota, useSpace } from './upload-quota.js'

export interface AttachmentRow {
  id: number
  owner_id: number
  path_id: string
  name: string
  content_type: string
  size: number
  create_time: number
  /** null: the file is not an image */
  image: UploadedImage | null
}

/** A file as it was when a message was rendered. */
export type FoundAttachment = Pick<AttachmentRow, 'id' | 'image'>

export type NewAttachment = Pick<AttachmentRow, 'path_id' | 'name' | 'content_type' | 'size' | 'image'>

/** Stores a file that a user uploaded. Throws REALM_UPLOAD_QUOTA, and StaleStateError. */
export const addAttachment = async (
  context: WriteContext,
  files: FileStorage,
  owner: UserRow,
  file: NewAttachment,
  data: Uint8Array,
): Promise<void> => {
  await checkUploadQuota(context.sql, context.realm, data.length)
  await files.put(uploadKey(file.path_id), data)
  await addAttachmentRow(context, files, owner, file)
}

/**
 * Inserts the row of a file whose bytes are stored, or deletes the bytes.
 * Throws REALM_UPLOAD_QUOTA, and StaleStateError.
 * @param before runs in the same transaction, before the row is inserted
 */
export const addAttachmentRow = async (
  context: WriteContext,
  files: FileStorage,
  owner: UserRow,
  { path_id, name, content_type, size, image }: NewAttachment,
  before: (tx: Transaction) => Promise<void> = async () => {},
): Promise<void> => {
  const { realm } = context
  const added = commit(context, async (tx) => {
    await before(tx)
    const [taken] = await tx<{ id: number }[]>`
      select nextval(pg_get_serial_sequence('attachments', 'id')) as id`
    if (taken === undefined) throw new Error('a sequence gave no number')
    const { id } = taken
    const create_time = Date.now()
    const attachment: AttachmentObject = { id, name, path_id, size, create_time, messages: [] }
    const upload_space_used = await useSpace(tx, realm, size)
    await tx`
        insert into attachments (
          id, realm_id, owner_id, path_id, name, content_type, size, create_time, unclaimed_since, image
        )
        overriding system value
        values (
          ${id}, ${realm.id}, ${owner.id}, ${path_id}, ${name}, ${content_type}, ${size}, ${create_time}, ${create_time},
          ${image && JSON.stringify(image)}::text::jsonb
        )`
    return {
      entries: [attachmentAdded({ owner_id: owner.id, attachment, upload_space_used })],
      jobs: image === null ? [] : [{ kind: 'thumbnail', payload: { attachment_id: id } }],
    }
  })
  await added.catch(async (error: unknown) => {
    await files.remove(uploadKey(path_id))
    throw error
  })
}

/** Loads the files of a user, newest first, with the messages that link to them. Index: attachments_owner. */
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

/** Loads files by their ids, with their owners. `is_kept`: a draft or a scheduled message links to the file. */
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

/** The SQL condition that a draft or a scheduled message links to the file `a`. */
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

/** Loads the row of a file by its path id or its id. */
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

/** The number of messages that are checked to decide whether a user can read a file. Most files are in one message. */
const MAX_CLAIMS = 500

/** Whether the reader can read the file (2). */
export const canReadFile = async (read: ReadContext, { id, owner_id }: AttachmentRow): Promise<boolean> => {
  const { sql, state, reader } = read
  if (reader?.id === owner_id) return true
  const claims = await sql<{ message_id: number }[]>`
    select message_id from attachment_claims
    where realm_id = ${state.realm.id} and attachment_id = ${id}
    order by message_id desc limit ${MAX_CLAIMS}`
  return isAnyReadable(
    read,
    claims.map(({ message_id }) => message_id),
  )
}
