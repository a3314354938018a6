/** The connections of one process to the Postgres of a cell. */
import { openSql, type Sql } from '../sql.js'
import { openStandbyReads, type StandbyReads } from '../standbys/standby-reads.js'

/** Where Postgres is. */
export interface PoolAddresses {
  DATABASE_URL: string
  DATABASE_READ_URL?: string | undefined
}

/** How many connections a process has. */
export interface PoolSizes {
  /** for everything that has no pool of its own */
  connections: number
  /** the realms whose structure lock the process can hold at the same time; absent: it has no pool for locks */
  structure_locks?: number
  /** to each standby */
  standby_connections?: number
  /** see openSql */
  silence_ms?: number
}

/** The pools of a process. */
export interface Pools {
  readonly sql: Sql
  /** for waiting for structure locks (store/log/structure-lock.ts) */
  readonly structureLockSql: Sql
  readonly standbys: StandbyReads
  /** the size of the pool `sql` */
  readonly connections: number
  close(): Promise<void>
}

/** Seconds that queries have to finish when the pools are closed. */
const END_SECONDS = 5

/** Opens the pools. Nothing connects before the first query. */
export const openPools = (
  { DATABASE_URL, DATABASE_READ_URL }: PoolAddresses,
  { connections, structure_locks, standby_connections = connections, silence_ms }: PoolSizes,
): Pools => {
  const sql = openSql(DATABASE_URL, connections, silence_ms === undefined ? {} : { silence_ms })
  const structureLockSql = structure_locks === undefined ? sql : openSql(DATABASE_URL, structure_locks)
  const standbys = openStandbyReads(sql, DATABASE_READ_URL, standby_connections)
  return {
    sql,
    structureLockSql,
    standbys,
    connections,
    async close() {
      const pools = new Set([sql, structureLockSql])
      await Promise.all([...[...pools].map((pool) => pool.end({ timeout: END_SECONDS })), standbys.close()])
    },
  }
}
