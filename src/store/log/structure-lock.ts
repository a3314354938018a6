/**
 * Turns: structural changes of a realm one at a time, in all processes together.
 *
 * Two at once would only take the guard from one another, and the loser would run again; under a storm of them a
 * write that needs longer than the others might never pass. A turn makes that certain to end.
 *
 * 1. A turn is an advisory lock in Postgres, held by a transaction that does nothing else. Its connections are apart
 *    from those that the work uses, so that waiting for a turn can never keep the work of another from ending.
 * 2. Whoever has the turn has applied everything that was committed before it: what they decide on is current.
 * 3. A turn inside a turn of the same realm is the same turn.
 * 4. A turn protects nothing: writes are guarded with or without it (log.ts).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Sql } from '../sql.js'

export interface StructureLocks {
  /** Runs `work` when it is this realm's turn here. `reach` brings the realm up to a seq. */
  hold<T>(realm_id: number, reach: (seq: number) => Promise<void>, work: () => Promise<T>): Promise<T>
}

/** Tells these locks from others in the database. */
const LOCKS = 7_271

/** @param sql connections for waiting, used for nothing else (1) */
export const openStructureLocks = (sql: Sql): StructureLocks => {
  const held = new AsyncLocalStorage<number>()
  const tails = new Map<number, Promise<unknown>>()

  const locked = async <T>(realm_id: number, reach: (seq: number) => Promise<void>, work: () => Promise<T>) => {
    let done: { value: T } | undefined
    try {
      await sql.begin(async (tx) => {
        const [, [head]] = await Promise.all([
          tx`select pg_advisory_xact_lock(${LOCKS}, ${realm_id})`,
          tx<{ log_seq: number }[]>`select log_seq from log_heads where realm_id = ${realm_id}`,
        ])
        await reach(head?.log_seq ?? 0)
        done = { value: await held.run(realm_id, work) }
      })
    } catch (error) {
      // What the work has committed stands, even if the lock could not be given back in good order.
      if (done === undefined) throw error
    }
    return (done as unknown as { value: T }).value
  }

  return {
    hold(realm_id, reach, work) {
      if (held.getStore() === realm_id) return work()
      // In line here first: one connection per realm and process waits, not one per call.
      const before = tails.get(realm_id) ?? Promise.resolve()
      const turn = before.then(() => locked(realm_id, reach, work))
      const tail = turn.catch(() => {})
      tails.set(realm_id, tail)
      void tail.then(() => {
        if (tails.get(realm_id) === tail) tails.delete(realm_id)
      })
      return turn
    },
  }
}
