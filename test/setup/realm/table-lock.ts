/** Locks that a test holds so that calls wait in Postgres. */
import { expect } from 'vitest'
import { openSql, type Transaction } from '../../../src/store/sql.js'

/**
 * Counts the connections that wait for a lock of this transaction. A connection that waits for such a connection
 * counts, too.
 */
export const countWaiting = async (tx: Transaction): Promise<number> => {
  const [row] = await tx<{ n: number }[]>`
    with recursive waiting as (
      select pg_backend_pid() as pid
      union
      select l.pid from pg_locks l join waiting w on not l.granted and w.pid = any(pg_blocking_pids(l.pid))
    )
    select count(*)::int - 1 as n from waiting`
  return row?.n ?? 0
}

export interface TableLock {
  /** Resolves when a statement of another connection waits for the table. */
  waitForWaiter(): Promise<void>
  /** Ends the lock, and closes its connection. */
  release(): Promise<void>
}

/** Locks a table of a fleet against all reads and writes. */
export const lockTable = async (database_url: string, table: string): Promise<TableLock> => {
  const sql = openSql(database_url, 1)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let ended: Promise<unknown> = Promise.resolve()
  const holder = await new Promise<Transaction>((locked, fail) => {
    ended = sql.begin(async (tx) => {
      await tx`lock table ${tx(table)} in access exclusive mode`
      locked(tx)
      await released
    })
    ended.catch(fail)
  })
  return {
    waitForWaiter: () => expect.poll(() => countWaiting(holder), { timeout: 10_000 }).toBeGreaterThan(0),
    async release() {
      release()
      await ended
      await sql.end()
    },
  }
}
