/** A lock on a table of a fleet, which a test holds so that calls wait in Postgres. */
import { expect } from 'vitest'
import { openSql } from '../../src/store/sql.js'

export interface TableLock {
  /** Resolves when a statement of another connection waits for the table. */
  waitForWaiter(): Promise<void>
  /** Ends the lock, and closes its connection. */
  release(): Promise<void>
}

/** Locks a table against all reads and writes. */
export const lockTable = async (database_url: string, table: string): Promise<TableLock> => {
  const sql = openSql(database_url, 2)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let ended: Promise<unknown> = Promise.resolve()
  await new Promise<void>((locked, fail) => {
    ended = sql.begin(async (tx) => {
      await tx`lock table ${tx(table)} in access exclusive mode`
      locked()
      await released
    })
    ended.catch(fail)
  })
  const countWaiting = async () => {
    const [row] = await sql`
      select count(*)::int as n from pg_locks where not granted and relation = ${table}::regclass`
    return row?.n as number
  }
  return {
    waitForWaiter: () => expect.poll(countWaiting, { timeout: 10_000 }).toBeGreaterThan(0),
    async release() {
      release()
      await ended
      await sql.end()
    },
  }
}
