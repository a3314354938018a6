/** A standby of the Postgres of the benchmarks, and the CPU time of both servers. */
import { chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { preparePostgres } from '../../src/dev/postgres.js'
import { openSql, type Sql } from '../../src/store/sql.js'
import { copyAsStandby } from '../../test/setup/processes/postgres-standby.js'
import { readPostmasterPid } from '../harness/postmaster.js'
import type { BenchEnvironment } from './environment.js'

export interface Standby {
  url: string
  sql: Sql
  /** the process whose children are the servers' connections */
  pids: { primary: number; standby: number }
  /** Resolves when the standby has replayed what the primary has written by now. */
  catchUp(): Promise<void>
}

/** Starts the standby. It ends with the process group. */
export const startStandby = async ({ sql, group, database_url }: BenchEnvironment): Promise<Standby> => {
  const [row] = await sql<{ data: string }[]>`select current_setting('data_directory') as data`
  const data = row?.data ?? ''
  const pid = readPostmasterPid(data)
  const folder = `${data}-standby`
  mkdirSync(join(folder, 'data'), { recursive: true })
  const url = new URL(database_url)
  writeFileSync(join(folder, 'password'), `${url.password}\n`)
  const { uid, gid } = statSync(data)
  for (const path of [folder, join(folder, 'data'), join(folder, 'password')]) chownSync(path, uid, gid)
  const service = await preparePostgres(group, folder, true)
  await copyAsStandby({ sql, url: database_url, data, port: Number(url.port) }, join(folder, 'data'))
  await service.start()
  const standbySql = openSql(service.url, 2)
  return {
    url: service.url,
    sql: standbySql,
    pids: { primary: pid, standby: readPostmasterPid(join(folder, 'data')) },
    async catchUp() {
      const [written] = await sql<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`
      const hasAll = async () => {
        const [row] = await standbySql<{ has: boolean }[]>`
          select coalesce(pg_last_wal_replay_lsn() >= ${written?.lsn ?? ''}::pg_lsn, false) as has`
        return row?.has === true
      }
      while (!(await hasAll())) await new Promise((resolve) => setTimeout(resolve, 20))
    },
  }
}
