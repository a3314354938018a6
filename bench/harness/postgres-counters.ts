/** The counters of Postgres. Other processes of the machine do not change them, in contrast to times. */
import type { Sql } from '../../src/store/sql.js'

export interface Counters {
  /** rows inserted, updated and deleted */
  rows: number
  /** bytes of write-ahead log */
  wal: number
  /** accesses to pages of the buffer pool */
  buffers: number
}

/**
 * Reads the counters of the whole database.
 * @param sql a pool of one connection: the connection writes its own counts to the shared counters first
 */
export const readCounters = async (sql: Sql): Promise<Counters> => {
  await sql`select pg_stat_force_next_flush()`
  const [row] = await sql<Counters[]>`
    select tup_inserted + tup_updated + tup_deleted as rows, blks_hit + blks_read as buffers,
      (pg_current_wal_insert_lsn() - '0/0')::bigint as wal
    from pg_stat_database where datname = current_database()`
  if (row === undefined) throw new Error('Postgres has no counters of this database')
  return row
}

/** What Postgres did between two readings. */
export const subtractCounters = (after: Counters, before: Counters): Counters => ({
  rows: after.rows - before.rows,
  wal: after.wal - before.wal,
  buffers: after.buffers - before.buffers,
})
