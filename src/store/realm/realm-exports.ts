/**
 * The rows of exports of an organization's data. A job makes the archive (workers/realm/realm-export.ts).
 *
 * 1. The URL of an archive is for the administrator who requested it, with their credentials: what an archive contains
 *    depends on what that administrator may see. No other administrator gets the URL.
 * 2. An archive with an audit log, which owners request, is listed to owners only, and downloaded by owners only: a
 *    former owner does not get it any more.
 * 3. An archive expires. From then on it has no URL, and a worker deletes it (workers/schedule.ts).
 */

import { randomBytes } from 'node:crypto'
import { isOwner } from '#rules/roles.js'
import { secondsNow } from '#rules/time.js'
import type { NewEntry } from '../../domain/log/entry.js'
import type { UserRow } from '../../domain/log/rows.js'
import { errors } from '../../domain/protocol/errors.js'
import { type RealmExport, realmExportsChanged } from '../../domain/realm/realm-export-entries.js'
import type { FileStorage } from '../files/file-storage.js'
import { type Change, commit } from '../log/change.js'
import { lockHeadRow } from '../log/log.js'
import type { Realm } from '../log/realm.js'
import type { WriteContext } from '../log/write-context.js'
import type { Db, Sql } from '../sql.js'

export interface ExportRow {
  id: number
  acting_user_id: number
  export_type: number
  export_time: number
  deleted_timestamp: number | null
  failed_timestamp: number | null
  secret: string | null
  realm_url: string
  has_audit_log: boolean
}

/** The most exports within WINDOW_SECS. */
const MAX_EXPORTS = 5
const WINDOW_SECS = 7 * 86_400

/** How long an archive can be downloaded, from the request on. */
const LIFETIME_SECS = 7 * 86_400

/** The storage key of an export's archive. It contains the secret, so it cannot be guessed. */
export const exportKey = (realm_id: number, secret: string): string => `exports/${realm_id}/${secret}.tar.gz`

/** Loads the organization's exports that this administrator may know. The newest is the last. */
export const loadExports = async (db: Db, realm_id: number, viewer: UserRow): Promise<RealmExport[]> =>
  (await loadExportRows(db, realm_id))
    .filter((row) => mayKnow(viewer, row))
    .map((row) => toRealmExport(realm_id, row, viewer))

const loadExportRows = (db: Db, realm_id: number) => db<ExportRow[]>`
  select id, acting_user_id, export_type, export_time, deleted_timestamp, failed_timestamp, secret, realm_url,
    has_audit_log
  from realm_exports where realm_id = ${realm_id} order by id`

/** Whether an administrator may know of the export (2). */
const mayKnow = (viewer: UserRow, { has_audit_log }: ExportRow): boolean => !has_audit_log || isOwner(viewer)

const isPending = ({ secret, deleted_timestamp, failed_timestamp }: ExportRow): boolean =>
  secret === null && deleted_timestamp === null && failed_timestamp === null

/** Whether the export has an archive that this administrator may download (1, 2, 3). */
const mayDownload = (viewer: UserRow, row: ExportRow): boolean =>
  row.secret !== null &&
  row.deleted_timestamp === null &&
  row.export_time + LIFETIME_SECS > secondsNow() &&
  row.acting_user_id === viewer.id &&
  mayKnow(viewer, row)

const toRealmExport = (realm_id: number, row: ExportRow, viewer: UserRow): RealmExport => ({
  id: row.id,
  acting_user_id: row.acting_user_id,
  export_time: row.export_time,
  deleted_timestamp: row.deleted_timestamp,
  failed_timestamp: row.failed_timestamp,
  export_url: mayDownload(viewer, row)
    ? `${row.realm_url}/user_avatars/exports/${realm_id}/${row.secret}/export.tar.gz`
    : null,
  pending: isPending(row),
  export_type: row.export_type,
})

/** The export with this id; undefined when there is none. */
export const loadExportRow = async (db: Db, realm_id: number, id: number): Promise<ExportRow | undefined> =>
  (await loadExportRows(db, realm_id)).find((row) => row.id === id)

/** Whether the organization has an archive with this secret. It counts only if this administrator may download it. */
export const hasArchive = async (db: Db, realm_id: number, secret: string, viewer: UserRow): Promise<boolean> =>
  (await loadExportRows(db, realm_id)).some((row) => row.secret === secret && mayDownload(viewer, row))

/** The event for the administrator who requested an export, with the exports that they may know. */
const composeEntries = async (db: Db, { id, state }: Realm, acting_user_id: number): Promise<NewEntry[]> => {
  const viewer = state.users.get(acting_user_id)
  if (viewer === undefined) return []
  return [realmExportsChanged({ user_id: acting_user_id, exports: await loadExports(db, id, viewer) })]
}

/** Adds an export and its job. Throws BAD_REQUEST beyond MAX_EXPORTS, and StaleStateError. @returns its id */
export const beginExport = async (
  context: WriteContext,
  actor: UserRow,
  { export_type, realm_url }: { export_type: number; realm_url: string },
): Promise<number> => {
  const { realm } = context
  const now = secondsNow()
  return commit(context, async (tx) => {
    // The head's lock serializes concurrent requests, so that together they cannot exceed MAX_EXPORTS.
    await lockHeadRow(tx, realm.id)
    const [recent] = await tx<{ count: number }[]>`
        select count(*)::int as count from realm_exports
        where realm_id = ${realm.id} and export_time > ${now - WINDOW_SECS}`
    if ((recent?.count ?? 0) >= MAX_EXPORTS)
      throw errors.badRequest(
        'The organization made five exports in the last seven days: wait before you request another one.',
      )
    const [row] = await tx<{ id: number }[]>`
        insert into realm_exports (realm_id, acting_user_id, export_type, export_time, realm_url, has_audit_log)
        values (${realm.id}, ${actor.id}, ${export_type}, ${now}, ${realm_url}, ${isOwner(actor)})
        returning id`
    const id = row?.id ?? 0
    return {
      entries: await composeEntries(tx, realm, actor.id),
      jobs: [{ kind: 'realm_export', payload: { export_id: id } }],
      result: id,
    }
  })
}

/** Creates the secret of an archive's URL. */
export const generateSecret = (): string => randomBytes(24).toString('base64url')

/** The archive of a finished export. */
export interface FinishedArchive {
  secret: string
  has_audit_log: boolean
}

/** The change that marks an export as finished. @param archive undefined if the export failed */
export const finishExport =
  (realm: Realm, row: ExportRow, archive: FinishedArchive | undefined): Change =>
  async (tx) => {
    await tx`
      update realm_exports set secret = ${archive?.secret ?? null},
        has_audit_log = ${archive?.has_audit_log ?? row.has_audit_log},
        failed_timestamp = ${archive === undefined ? secondsNow() : null}
      where realm_id = ${realm.id} and id = ${row.id}`
    return { entries: await composeEntries(tx, realm, row.acting_user_id) }
  }

/**
 * Deletes the archive of an export that this administrator may know. Throws the refusals of protocol/endpoints.md 3.11,
 * and StaleStateError.
 */
export const deleteExport = (context: WriteContext, files: FileStorage, id: number, viewer: UserRow): Promise<void> =>
  deleteArchive(context, files, id, (row) => {
    if (row === undefined || !mayKnow(viewer, row)) throw errors.badRequest('There is no export with this ID.')
    if (row.deleted_timestamp !== null) throw errors.badRequest('The archive of this export is deleted already.')
    if (row.failed_timestamp !== null) throw errors.badRequest('This export failed: there is nothing to delete.')
    if (isPending(row)) throw errors.badRequest('This export is not finished yet: delete it later.')
  })

const deleteArchive = async (
  context: WriteContext,
  files: FileStorage,
  id: number,
  check: (row: ExportRow | undefined) => void,
): Promise<void> => {
  const { realm } = context
  const deleted = await commit(context, async (tx) => {
    await tx`select from realm_exports where realm_id = ${realm.id} and id = ${id}::bigint for update`
    const row = await loadExportRow(tx, realm.id, id)
    check(row)
    if (row === undefined || row.deleted_timestamp !== null) return { entries: [], result: undefined }
    await tx`
        update realm_exports set deleted_timestamp = ${secondsNow()} where realm_id = ${realm.id} and id = ${id}`
    return { entries: await composeEntries(tx, realm, row.acting_user_id), result: row }
  })
  if (typeof deleted?.secret === 'string') await files.remove(exportKey(realm.id, deleted.secret))
}

/** Archives that have expired, at most `limit` (3). */
export const findExpiredArchives = (sql: Sql, limit: number) => sql<{ realm_id: number; id: number }[]>`
  select realm_id, id from realm_exports
  where secret is not null and deleted_timestamp is null and export_time <= ${secondsNow() - LIFETIME_SECS}
  limit ${limit}`

/** Deletes an archive that has expired. */
export const deleteExpiredArchive = (context: WriteContext, files: FileStorage, id: number): Promise<void> =>
  deleteArchive(context, files, id, () => {})
