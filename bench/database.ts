/** What Postgres counts by itself: the same however busy the machine is. */
import type { Sql } from '../src/store/sql.js'

export interface Counters {
  /** rows inserted, updated and deleted */
  rows: number
  /** bytes of write-ahead log */
  wal: number
  /** pages of the buffer pool that were touched */
  buffers: number
  /** statements outside of transactions count one each, and so do transactions */
  commits: number
}

/** The counters of the whole database now. The pool must have one connection, whose own counts are told first. */
export const countersOf = async (sql: Sql): Promise<Counters> => {
  await sql`select pg_stat_force_next_flush()`
  const [row] = await sql<Counters[]>`
    select tup_inserted + tup_updated + tup_deleted as rows, blks_hit + blks_read as buffers, xact_commit as commits,
      (pg_current_wal_insert_lsn() - '0/0')::bigint as wal
    from pg_stat_database where datname = current_database()`
  if (row === undefined) throw new Error('Postgres counts nothing')
  return row
}

export const sinceCounters = (before: Counters, after: Counters): Counters => ({
  rows: after.rows - before.rows,
  wal: after.wal - before.wal,
  buffers: after.buffers - before.buffers,
  commits: after.commits - before.commits,
})
