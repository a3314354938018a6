/**
 * Uploaded files: their rows, and which messages lead to them.
 *
 * 1. The bytes are stored before the row, so a row always has its file.
 * 2. Who uploaded a file may read it, and so may everyone who may read a message that leads to it.
 */
import { type AttachmentObject, attachmentAdded, attachmentRemoved } from '../domain/entries/attachments.js'
import { errors } from '../domain/errors.js'
import type { UserRow } from '../domain/rows.js'
import { commit, type Writer } from './change.js'
import type { Files } from './files.js'
import type { Reading } from './narrow.js'
import { visible } from './reading.js'
import type { Realm } from './realm.js'
import type { Db, Sql, Transaction } from './sql.js'

export interface AttachmentRow {
  id: number
  owner_id: number
  path_id: string
  name: string
  content_type: string
  size: number
  create_time: number
}

/** The key of a file among all files: its address without the name, which may be anything. */
export const uploadKey = (path_id: string): string => `uploads/${path_id.split('/').slice(0, 2).join('/')}`

/** Stores a file that a user uploaded. */
export const addAttachment = async (
  writer: Writer,
  files: Files,
  realm: Realm,
  guard: number,
  owner: UserRow,
  given: Pick<AttachmentRow, 'path_id' | 'name' | 'content_type'> & { data: Uint8Array },
): Promise<void> => {
  const { data, path_id, name, content_type } = given
  await files.put(uploadKey(path_id), data)
  const [taken] = await writer.sql<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('attachments', 'id')) as id`
  if (taken === undefined) throw new Error('a sequence gave no number')
  const { id } = taken
  const create_time = Date.now()
  const attachment: AttachmentObject = { id, name, path_id, size: data.length, create_time, messages: [] }
  const upload_space_used = (await spaceUsed(writer.sql, realm.id)) + data.length
  await commit(writer, realm, guard, {
    entries: [attachmentAdded({ owner_id: owner.id, attachment, upload_space_used })],
    statements: (tx) => [
      tx`
        insert into attachments (id, realm_id, owner_id, path_id, name, content_type, size, create_time)
        overriding system value
        values (${id}, ${realm.id}, ${owner.id}, ${path_id}, ${name}, ${content_type}, ${data.length}, ${create_time})`,
    ],
  })
}

/** Bytes of all files of the organization. Index: attachments_size. */
export const spaceUsed = async (db: Db, realm_id: number): Promise<number> => {
  const [row] = await db<{ used: number }[]>`
    select coalesce(sum(size), 0)::bigint as used from attachments where realm_id = ${realm_id}`
  return row?.used ?? 0
}

/** The files that a user uploaded, newest first, with the messages that lead to them. Index: attachments_owner. */
export const attachmentsOf = async (sql: Sql, realm_id: number, owner_id: number): Promise<AttachmentObject[]> => {
  const rows = await sql<(AttachmentRow & { messages: AttachmentObject['messages'] })[]>`
    select a.id, a.name, a.path_id, a.size, a.create_time, ${messagesOf(sql)} as messages
    from attachments a
    where a.realm_id = ${realm_id} and a.owner_id = ${owner_id}
    order by a.id desc`
  return rows.map(({ id, name, path_id, size, create_time, messages }) => ({
    id,
    name,
    path_id,
    size,
    create_time,
    messages,
  }))
}

const messagesOf = (db: Db) => db`
  (select coalesce(json_agg(json_build_object('id', m.id, 'date_sent', m.timestamp * 1000) order by m.id), '[]')
  from attachment_claims c join messages m on m.realm_id = c.realm_id and m.id = c.message_id
  where c.realm_id = a.realm_id and c.attachment_id = a.id)`

/** The file of this address, or of this id. */
export const attachmentAt = async (
  sql: Sql,
  realm_id: number,
  which: { path_id: string } | { id: number },
): Promise<AttachmentRow | undefined> => {
  const condition = 'id' in which ? sql`id = ${which.id}` : sql`path_id = ${which.path_id}`
  const [row] = await sql<AttachmentRow[]>`
    select id, owner_id, path_id, name, content_type, size, create_time
    from attachments where realm_id = ${realm_id} and ${condition}`
  return row
}

/** Messages looked at to decide whether somebody may read a file; it is rarely in more than one. */
const MOST_CLAIMS = 500

/** Whether the reader may read the file (2). */
export const mayReadFile = async (reading: Reading, { id, owner_id }: AttachmentRow): Promise<boolean> => {
  const { sql, state, reader } = reading
  if (reader?.id === owner_id) return true
  const claims = await sql<{ message_id: number }[]>`
    select message_id from attachment_claims
    where realm_id = ${state.realm.id} and attachment_id = ${id}
    order by message_id desc limit ${MOST_CLAIMS}`
  if (claims.length === 0) return false
  const found = await visible(
    reading,
    claims.map(({ message_id }) => message_id),
  )
  return found.length > 0
}

/**
 * Notes that a message leads to files, in the transaction that stores or edits it. Only files that its sender may
 * read count: otherwise a leaked address would open the file to whoever the message is sent to.
 * @param path_ids all files that the message leads to now
 */
export const claimAttachments = (
  tx: Transaction,
  realm_id: number,
  message_id: number,
  path_ids: readonly string[],
): Promise<unknown> => tx`
  with wanted as (
    select id from attachments where realm_id = ${realm_id} and path_id = any(${path_ids as string[]})
  ), gone as (
    delete from attachment_claims c
    where c.realm_id = ${realm_id} and c.message_id = ${message_id}
      and not exists (select from wanted where wanted.id = c.attachment_id)
  )
  insert into attachment_claims (realm_id, attachment_id, message_id)
  select ${realm_id}, id, ${message_id} from wanted
  on conflict do nothing`

/** Those of the files that the sender of a message may read, and so may pass on. */
export const passableFiles = async (reading: Reading, path_ids: readonly string[]): Promise<string[]> => {
  const { sql, state } = reading
  const rows = await sql<AttachmentRow[]>`
    select id, owner_id, path_id, name, content_type, size, create_time
    from attachments where realm_id = ${state.realm.id} and path_id = any(${path_ids as string[]})`
  const verdicts = await Promise.all(rows.map(async (row) => (await mayReadFile(reading, row)) && row.path_id))
  return verdicts.filter((path_id) => path_id !== false)
}

/** Deletes a file of this user's. Throws BAD_REQUEST. */
export const removeAttachment = async (
  writer: Writer,
  files: Files,
  realm: Realm,
  guard: number,
  owner: UserRow,
  id: number,
): Promise<void> => {
  const row = await attachmentAt(writer.sql, realm.id, { id })
  if (row === undefined || row.owner_id !== owner.id) throw errors.invalidAttachment()
  const upload_space_used = (await spaceUsed(writer.sql, realm.id)) - row.size
  await commit(writer, realm, guard, {
    entries: [attachmentRemoved({ owner_id: owner.id, attachment_id: id, upload_space_used })],
    async before(tx) {
      const gone = await tx`delete from attachments where realm_id = ${realm.id} and id = ${id}`
      if (gone.count === 0) throw errors.invalidAttachment()
      await tx`delete from attachment_claims where realm_id = ${realm.id} and attachment_id = ${id}`
    },
  })
  await files.remove(uploadKey(row.path_id))
}
