/**
 * Deletes uploaded files: at the request of their owners, or after no message has linked to them for a while.
 *
 * The bytes are deleted after the row, so every row has its file.
 * If the process dies in between, the bytes stay, but no request can read them.
 */
import { attachmentRemoved } from '../../domain/files/attachment-entries.js'
import { thumbnailFormats } from '../../domain/files/thumbnails.js'
import type { UserRow } from '../../domain/log/rows.js'
import { errors } from '../../domain/protocol/errors.js'
import { type ChangeWithResult, commit } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import { deleteFileWords } from '../messages/narrow/file-words.js'
import type { Fragment, Sql, Transaction } from '../sql.js'
import { type AttachmentRow, findAttachment, isUsedByDraft } from './attachments.js'
import type { FileStorage } from './file-storage.js'
import { thumbnailKey, uploadKey } from './storage-keys.js'
import { freeSpace } from './upload-quota.js'

type RemovableRow = Pick<AttachmentRow, 'id' | 'owner_id' | 'path_id' | 'size' | 'image'>

/** Deletes a file of a user. Throws BAD_REQUEST if the user has no such file, and StaleStateError. */
export const removeAttachment = async (
  context: WriteContext,
  files: FileStorage,
  owner: UserRow,
  id: number,
): Promise<void> => {
  const { realm } = context
  const row = await findAttachment(context.sql, realm.id, { id })
  if (row === undefined || row.owner_id !== owner.id) throw errors.invalidAttachment()
  const isRemoved = await commit(
    context,
    removalChange(realm.id, row, (tx) => tx`true`),
  )
  if (!isRemoved) throw errors.invalidAttachment()
  await removeStoredBytes(files, row)
}

/** The change that deletes the row of a file if the row meets the condition; its result tells whether it did. */
const removalChange =
  (
    realm_id: number,
    { id, owner_id, size }: RemovableRow,
    condition: (tx: Transaction) => Fragment,
  ): ChangeWithResult<boolean> =>
  async (tx) => {
    const deleted =
      await tx`delete from attachments a where a.realm_id = ${realm_id} and a.id = ${id} and ${condition(tx)}`
    if (deleted.count === 0) return { entries: [], result: false }
    await tx`delete from attachment_claims where realm_id = ${realm_id} and attachment_id = ${id}`
    await deleteFileWords(tx, realm_id, [id])
    const upload_space_used = await freeSpace(tx, realm_id, size)
    return { entries: [attachmentRemoved({ owner_id, attachment_id: id, upload_space_used })], result: true }
  }

const DAY_MS = 86_400_000

/**
 * Loads files of all organizations that have been unclaimed for `days` days. No message has linked to them in this
 * time, and no draft links to them.
 */
export const loadUnclaimedFiles = (
  sql: Sql,
  days: number,
  limit: number,
): Promise<(RemovableRow & { realm_id: number; unclaimed_since: number })[]> => sql`
  select a.realm_id, a.id, a.owner_id, a.path_id, a.size, a.image, a.unclaimed_since from attachments a
  where a.unclaimed_since < ${Date.now() - days * DAY_MS} and not ${isUsedByDraft(sql)}
  order by a.unclaimed_since
  limit ${limit}`

/** Deletes such a file, unless a message or a draft links to it by now. Throws StaleStateError. */
export const removeUnclaimedFile = async (
  context: WriteContext,
  files: FileStorage,
  row: Awaited<ReturnType<typeof loadUnclaimedFiles>>[number],
): Promise<void> => {
  const isStill = (tx: Transaction) => tx`a.unclaimed_since = ${row.unclaimed_since} and not ${isUsedByDraft(tx)}`
  const isRemoved = await commit(context, removalChange(context.realm.id, row, isStill))
  if (isRemoved) await removeStoredBytes(files, row)
}

/** Deletes the stored bytes of a file, and its thumbnails. It runs after the row of the file was deleted. */
export const removeStoredBytes = async (
  files: FileStorage,
  { path_id, image }: Pick<AttachmentRow, 'path_id' | 'image'>,
) => {
  const transcoded = image?.transcoded === undefined ? [] : [image.transcoded]
  const names = image === null ? [] : [...thumbnailFormats.map(({ name }) => name), ...transcoded]
  const keys = [uploadKey(path_id), ...names.map((name) => thumbnailKey(path_id, name))]
  await Promise.all(keys.map((key) => files.remove(key)))
}
