/**
 * A standby of a running Postgres, made with the low-level API of base backups, so that the server's own programs are
 * enough.
 */
import { spawnSync } from 'node:child_process'
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from '../../../src/store/sql.js'

/** Where the standby connects to. */
export interface StandbySource {
  /** a pool of connections of a superuser */
  sql: Sql
  /** user and password */
  url: string
  /** the folder of its data */
  data: string
  /** the port of 127.0.0.1 at which the standby reaches it */
  port: number
}

/** Fills the folder `data` with a copy of the running primary. A server that starts there is its standby. */
export const copyAsStandby = async (primary: StandbySource, data: string): Promise<void> => {
  const connection = await primary.sql.reserve()
  await connection`select pg_backup_start('standby', true)`
  rmSync(data, { recursive: true, force: true })
  // It reports files that vanish while it runs, which the log restores.
  spawnSync('cp', ['-a', primary.data, data])
  const [label] = await connection<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`
  connection.release()
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(data, name), { force: true })
  const { username, password } = new URL(primary.url)
  const conninfo = `host=127.0.0.1 port=${primary.port} user=${username} password=${password} application_name=standby`
  const files = {
    backup_label: label?.labelfile ?? '',
    'standby.signal': '',
    'postgresql.auto.conf': `primary_conninfo = '${conninfo}'\nwal_receiver_timeout = '3s'\nwal_retrieve_retry_interval = '200ms'\n`,
  }
  const { uid, gid } = statSync(primary.data)
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(data, name), text)
    chownSync(join(data, name), uid, gid)
  }
}
