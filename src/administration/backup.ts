/**
 * Backups: a folder with a dump of the database, the files, and a description.
 *
 *   parley.dump   what pg_dump writes, without event queues: their clients have received later events
 *   files/        the uploaded files, under their keys
 *   backup.json   what this is
 *
 * 1. The files are copied after the dump, so every file of the dump is there. Files are never changed, so a later
 *    backup into the same folder copies only new ones.
 * 2. backup.json is written last: a folder without it is no whole backup.
 * 3. SECRET_KEY is not in the backup. backup.json only permits to tell whether a secret is the right one.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.js'
import { readVersion } from '../monitoring/release.js'
import { readFilesOwner } from '../store/deployment/files-claim.js'
import { loadIdentity, proveDeployment } from '../store/deployment/identity.js'
import { type CopiedFiles, copyStorage } from '../store/files/copy-storage.js'
import { openDiskStorage } from '../store/files/disk-storage.js'
import { openFileStorage } from '../store/files/open-file-storage.js'
import { migrate } from '../store/migrations.js'
import type { Sql } from '../store/sql.js'
import { OperatorError } from './operator-error.js'
import { runPostgresProgram } from './postgres-programs.js'

const FORMAT = 'parley-backup/1'

interface Description {
  format: string
  made_at: string
  version: string
  /** the deployment, and a proof that a process with its secret wrote this (store/deployment/identity.ts) */
  deployment: string
  proof: string
}

type Environment = Readonly<Record<string, string | undefined>>

const partsOf = (folder: string) => ({
  dump: join(folder, 'parley.dump'),
  files: join(folder, 'files'),
  description: join(folder, 'backup.json'),
})

/** Makes a backup in a folder that is new, empty, or has an earlier one. Throws OperatorError. */
export const makeBackup = async (sql: Sql, config: Config, env: Environment, folder: string): Promise<CopiedFiles> => {
  const parts = partsOf(folder)
  await requireBackupFolder(folder)
  const identity = await loadIdentity(sql)
  if (identity === undefined) throw new OperatorError('The database lacks migrations: run migrate first.')
  const dump = `${parts.dump}.unfinished`
  try {
    const options = ['--format=custom', '--exclude-table-data=event_queues', `--file=${dump}`]
    await runPostgresProgram('pg_dump', options, config.DATABASE_URL, env)
    await rm(parts.description, { force: true })
    await rename(dump, parts.dump)
  } finally {
    await rm(dump, { force: true })
  }
  const copied = await copyStorage(await openFileStorage(config), openDiskStorage(parts.files), true)
  const description: Description = {
    format: FORMAT,
    made_at: new Date().toISOString(),
    version: readVersion(),
    deployment: identity.id,
    proof: proveDeployment(identity.id, config.SECRET_KEY[0] ?? ''),
  }
  await writeFile(parts.description, `${JSON.stringify(description, undefined, 2)}\n`, { mode: 0o600 })
  return copied
}

const requireBackupFolder = async (folder: string): Promise<void> => {
  // It contains every message: other users of the machine must not read it.
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await readdir(folder)
  const others = names.filter((name) => !/^(?:parley\.dump(?:\.unfinished)?|files|backup\.json)$/.test(name))
  if (others.length > 0) throw new OperatorError(`${folder} has other files (${others[0]}): name a folder for backups.`)
}

const readDescription = async (folder: string): Promise<Description> => {
  const text = await readFile(partsOf(folder).description, 'utf8').catch(() => '{}')
  const description = JSON.parse(text) as Partial<Description>
  if (description.format !== FORMAT) throw new OperatorError(`${folder} has no whole backup: backup.json is missing.`)
  return description as Description
}

/**
 * Restores a backup into an empty database. Restores its files into the storage of the configuration. Throws
 * OperatorError.
 * @param hasNewSecret whether the keys and links of the backup may become invalid
 */
export const restoreBackup = async (
  sql: Sql,
  config: Config,
  env: Environment,
  folder: string,
  hasNewSecret: boolean,
): Promise<CopiedFiles & { made_at: string; version: string; applied: string[] }> => {
  const { deployment, proof, made_at, version } = await readDescription(folder)
  if (!hasNewSecret && !config.SECRET_KEY.some((secret) => proveDeployment(deployment, secret) === proof)) {
    throw new OperatorError(
      'SECRET_KEY is not that of the backup: its API keys and links would be invalid. Set the one that was kept beside the' +
        ' backup. If it is lost: --new-secret.',
    )
  }
  const tables = await sql`
    select from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') limit 1`
  if (tables.count > 0)
    throw new OperatorError('DATABASE_URL: the database has tables already. Create an empty one for the restore.')
  const files = await openFileStorage(config)
  const owner = await readFilesOwner(files, config.SECRET_KEY)
  if (owner !== undefined && owner.id !== deployment) {
    throw new OperatorError(
      `${config.S3_BUCKET === undefined ? 'UPLOADS_DIR' : 'S3_BUCKET'}: the files there belong to another deployment (${owner.id}). Name an empty folder or bucket.`,
    )
  }
  const parts = partsOf(folder)
  const options = ['--clean', '--if-exists', '--no-owner', '--exit-on-error', parts.dump]
  await runPostgresProgram('pg_restore', options, config.DATABASE_URL, env)
  const copied = await copyStorage(openDiskStorage(parts.files), files, true)
  return { made_at, version, ...copied, applied: await migrate(sql) }
}
