/**
 * The rows of exports of an organization's data. A job makes the archive (workers/realm/realm-export.ts).
 *
 * The URL of an archive contains a secret and needs no credentials, because administrators open it in a browser. Only
 * administrators receive the URL, and it is invalid once the archive is deleted.
 */

import { randomBytes } from 'node:crypto'
import type { UserRow } from '../../domain/log/rows.js'
import { secondsNow } from '../../domain/permissions/permissions.js'
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
}

/** The most exports within WINDOW_SECS. */
const MAX_EXPORTS = 5
const WINDOW_SECS = 7 * 86_400

/** The storage key of an export's archive. It contains the secret, so it cannot be guessed. */
export const exportKey = (realm_id: number, secret: string): string => `exports/${realm_id}/${secret}.tar.gz`

/** All exports of the organization, the newest last. */
export const loadExports = async (db: Db, realm_id: number): Promise<RealmExport[]> =>
  (await loadExportRows(db, realm_id)).map((row) => toRealmExport(realm_id, row))

const loadExportRows = (db: Db, realm_id: number) => db<ExportRow[]>`
  select id, acting_user_id, export_type, export_time, deleted_timestamp, failed_timestamp, secret, realm_url
  from realm_exports where realm_id = ${realm_id} order by id`

const isPending = ({ secret, deleted_timestamp, failed_timestamp }: ExportRow): boolean =>
  secret === null && deleted_timestamp === null && failed_timestamp === null

const toRealmExport = (realm_id: number, row: ExportRow): RealmExport => ({
  id: row.id,
  acting_user_id: row.acting_user_id,
  export_time: row.export_time,
  deleted_timestamp: row.deleted_timestamp,
  failed_timestamp: row.failed_timestamp,
  export_url:
    row.secret === null || row.deleted_timestamp !== null
      ? null
      : `${row.realm_url}/user_avatars/exports/${realm_id}/${row.secret}/export.tar.gz`,
  pending: isPending(row),
  export_type: row.export_type,
})

/** The export with this id; undefined when there is none. */
export const loadExportRow = async (db: Db, realm_id: number, id: number): Promise<ExportRow | undefined> =>
  (await loadExportRows(db, realm_id)).find((row) => row.id === id)

/** Whether the organization has an archive with this secret. */
export const hasArchive = async (sql: Sql, realm_id: number, secret: string): Promise<boolean> => {
  const rows = await sql`
    select from realm_exports where realm_id = ${realm_id} and secret = ${secret} and deleted_timestamp is null`
  return rows.length > 0
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
        insert into realm_exports (realm_id, acting_user_id, export_type, export_time, realm_url)
        values (${realm.id}, ${actor.id}, ${export_type}, ${now}, ${realm_url})
        returning id`
    const id = row?.id ?? 0
    return {
      entries: [realmExportsChanged({ user_id: actor.id, exports: await loadExports(tx, realm.id) })],
      jobs: [{ kind: 'realm_export', payload: { export_id: id } }],
      result: id,
    }
  })
}

/** Creates the secret of an archive's URL. */
export const createSecret = (): string => randomBytes(24).toString('base64url')

/** The change that marks an export as finished. @param secret undefined if the export failed */
export const finishExport =
  (realm: Realm, row: ExportRow, secret: string | undefined): Change =>
  async (tx) => {
    await tx`
      update realm_exports set secret = ${secret ?? null},
        failed_timestamp = ${secret === undefined ? secondsNow() : null}
      where realm_id = ${realm.id} and id = ${row.id}`
    return { entries: [realmExportsChanged({ user_id: row.acting_user_id, exports: await loadExports(tx, realm.id) })] }
  }

/** Deletes the archive of an export. Throws the refusals of endpoints.md 3.11, and StaleStateError. */
export const deleteExport = async (context: WriteContext, files: FileStorage, id: number): Promise<void> => {
  const { realm } = context
  const deleted = await commit(context, async (tx) => {
    await tx`select from realm_exports where realm_id = ${realm.id} and id = ${id}::bigint for update`
    const row = await loadExportRow(tx, realm.id, id)
    if (row === undefined) throw errors.badRequest('There is no export with this ID.')
    if (row.deleted_timestamp !== null) throw errors.badRequest('The archive of this export is deleted already.')
    if (row.failed_timestamp !== null) throw errors.badRequest('This export failed: there is nothing to delete.')
    if (isPending(row)) throw errors.badRequest('This export is not finished yet: delete it later.')
    await tx`
        update realm_exports set deleted_timestamp = ${secondsNow()} where realm_id = ${realm.id} and id = ${id}`
    const exports = await loadExports(tx, realm.id)
    return { entries: [realmExportsChanged({ user_id: row.acting_user_id, exports })], result: row }
  })
  if (deleted.secret !== null) await files.remove(exportKey(realm.id, deleted.secret))
}
