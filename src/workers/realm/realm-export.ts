/**
 * Makes the archive of an export (store/realm/export-content.ts), and sends its URL to the administrator who requested
 * it.
 *
 * The archive is stored before the change that publishes its URL.
 * If the process dies in between, the stored archive has no known URL, and another process makes a new one.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secondsNow } from '#rules/time.js'
import { isStorageFault } from '../../store/files/file-storage.js'
import { generateDocuments, hasAuditLog } from '../../store/realm/export-content.js'
import {
  exportKey,
  type FinishedArchive,
  finishExport,
  generateSecret,
  loadExportRow,
} from '../../store/realm/realm-exports.js'
import { isInterrupted, isUnavailable } from '../../store/sql.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { writeArchive } from './tar-archive.js'

/**
 * After this many failed attempts the export is marked as failed, and a new one can be requested. Outages of Postgres
 * and of the storage mark none.
 */
const MAX_ATTEMPTS = 3

/** Whether Postgres or the storage is away or full: not the export fails, but what it needs. */
const isOutage = (error: unknown): boolean => isUnavailable(error) || isInterrupted(error) || isStorageFault(error)

export const realmExport: JobHandler<'realm_export'> = async ({
  write,
  realm,
  payload,
  files,
  standbys,
  attempts,
  runExternalCall,
}) => {
  const row = await loadExportRow(write.sql, realm.id, payload.export_id)
  const actor = row && realm.state.users.get(row.acting_user_id)
  if (row === undefined || actor === undefined || row.secret !== null || row.failed_timestamp !== null) {
    return noEffect
  }
  const makeArchive = async (): Promise<FinishedArchive | undefined> => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-export-'))
    try {
      const path = join(folder, 'export.tar.gz')
      const now = secondsNow()
      await writeArchive(
        path,
        generateDocuments(standbys, files, realm.state, { actor, export_type: row.export_type, now }),
        now,
      )
      const secret = generateSecret()
      await files.putFile(exportKey(realm.id, secret), path)
      return { secret, has_audit_log: hasAuditLog(actor) }
    } catch (error) {
      // What is away comes back: the job waits for it, however long that takes.
      if (isOutage(error) || attempts + 1 < MAX_ATTEMPTS) throw error
      return undefined
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return { change: finishExport(realm, row, await runExternalCall(makeArchive)) }
}
