/**
 * The structure lock: structural changes of a realm run one at a time, in all processes together.
 *
 * Of two concurrent changes, one fails its guard and runs again; with many of them, a change that takes longer than the
 * others might never succeed. With the lock, each change runs after those that waited before it, and succeeds.
 *
 * 1. The lock is an advisory lock in Postgres, held by a transaction that does nothing else. Its connections are not
 *    those that the work uses, so a process that waits for the lock cannot take a connection that the holder needs.
 * 2. The holder has applied everything that was committed before it got the lock: it decides on a current state.
 * 3. The lock is not reentrant: `WriteContext.withStructureLock` takes it, and knows whether it is held already. An
 *    AsyncLocalStorage would know it too, but on Node 22 it makes every await of the process six times as slow.
 * 4. While one change waits for the lock or holds it for longer than MAX_HOLD_MS, further ones are refused with
 *    OverloadError.
 * 5. Correctness does not depend on the lock: writes are guarded with or without it (log.ts).
 */
import { createWorkTimer, type WorkTimer } from '../overload.js'
import type { Sql } from '../sql.js'

/** The structure locks of a process. */
export interface StructureLocks {
  /** Runs `work` while this process holds the realm's lock. `reach` resolves when the realm has applied a seq. */
  run<T>(realm_id: number, reach: (seq: number) => Promise<void>, work: () => Promise<T>): Promise<T>
}

/** The class of these advisory locks, which separates them from others in the database. */
const LOCKS = 7_271
const MAX_HOLD_MS = 15_000

/** Opens the structure locks. @param sql connections for waiting, used for nothing else (1) */
export const openStructureLocks = (sql: Sql): StructureLocks => {
  const tails = new Map<number, { last: Promise<unknown>; timer: WorkTimer }>()

  const runLocked = async <T>(realm_id: number, reach: (seq: number) => Promise<void>, work: () => Promise<T>) => {
    let done: { value: T } | undefined
    try {
      await sql.begin(async (tx) => {
        const [, [head]] = await Promise.all([
          tx`select pg_advisory_xact_lock(${LOCKS}, ${realm_id})`,
          tx<{ log_seq: number }[]>`select log_seq from log_heads where realm_id = ${realm_id}`,
        ])
        await reach(head?.log_seq ?? 0)
        done = { value: await work() }
      })
    } catch (error) {
      // The work has committed, so its result counts even if releasing the lock failed.
      if (done === undefined) throw error
    }
    return (done as unknown as { value: T }).value
  }

  return {
    async run(realm_id, reach, work) {
      // Calls queue in the process first, so that one connection per realm and process waits, not one per call.
      const { last: before, timer } = tails.get(realm_id) ?? {
        last: Promise.resolve(),
        timer: createWorkTimer(MAX_HOLD_MS),
      }
      timer.requireProgress()
      const result = before.then(() => {
        timer.begin()
        return runLocked(realm_id, reach, work).finally(timer.end)
      })
      const last = result.catch(() => {})
      tails.set(realm_id, { last, timer })
      void last.then(() => {
        if (tails.get(realm_id)?.last === last) tails.delete(realm_id)
      })
      return result
    },
  }
}
