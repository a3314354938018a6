/**
 * Refuses work early when Postgres is too slow for it: an answer of 503 at once is better than one after a minute, and
 * a queue whose callers are refused cannot grow without bound.
 *
 * 1. The measure is the time that work waits, not the length of a queue: what is long for one machine is short for
 *    another.
 * 2. The pool is overloaded when the small queries of the last OVERLOAD_TICKS intervals waited longer than TARGET_MS.
 *    One slow moment is no overload: a queue that drains exists to absorb it. (The principle is that of CoDel,
 *    RFC 8289.)
 * 3. A queue of one kind of work (the sends of a realm, the reads of heads, a structure lock) is closed to new work
 *    while its current work takes longer than a limit. What waits already is done, or fails with its connection.
 * 4. A pause of this process is not a wait for Postgres: waits are counted in ticks of a timer, which a pause delays
 *    too.
 */
import type { Sql } from './sql.js'

/** Postgres answers too slowly to begin more work. To callers it is the same as an unreachable Postgres (sql.ts). */
export class OverloadError extends Error {
  readonly code = 'OVERLOADED'
}

/** Milliseconds that a small query may wait. */
const TARGET_MS = 1_000
/** Milliseconds between two looks at the query. */
const TICK_MS = 250
/** Ticks in a row in which the query waits too long, or fails, before the pool is overloaded. */
const OVERLOAD_TICKS = 16

/** Whether new calls should be refused. */
export interface PoolWatch {
  isOverloaded(): boolean
  close(): void
}

/** Measures all the time how long a small query waits in the pool (2). */
export const watchPool = (sql: Sql): PoolWatch => {
  let slowTicks = 0
  /** ticks that the current query has waited; undefined: none is under way */
  let waited: number | undefined
  let hasFailed = false
  const ask = () => {
    waited = 0
    sql`select 1`
      .then(
        () => {
          hasFailed = false
        },
        () => {
          hasFailed = true
        },
      )
      .finally(() => {
        waited = undefined
      })
  }
  const timer = setInterval(() => {
    if (waited !== undefined) waited += 1
    const isSlow = hasFailed || (waited ?? 0) * TICK_MS > TARGET_MS
    slowTicks = isSlow ? slowTicks + 1 : 0
    if (waited === undefined) ask()
  }, TICK_MS)
  timer.unref()
  return {
    isOverloaded: () => slowTicks >= OVERLOAD_TICKS,
    close: () => clearInterval(timer),
  }
}

/** Ticks of this process, by which all queues measure (4). The timer keeps no process alive. */
const clock = { ticks: 0 }
setInterval(() => {
  clock.ticks += 1
}, TICK_MS).unref()

/** The time that the current work of a queue takes (3). */
export interface WorkTimer {
  begin(): void
  end(): void
  /** Throws OverloadError when the current work has taken longer than the limit. */
  requireProgress(): void
}

/** Creates the timer of a queue. @param limit_ms milliseconds that its current work may take while more is accepted */
export const createWorkTimer = (limit_ms: number): WorkTimer => {
  let began: number | undefined
  return {
    begin() {
      began = clock.ticks
    },
    end() {
      began = undefined
    },
    requireProgress() {
      if (began === undefined || (clock.ticks - began) * TICK_MS <= limit_ms) return
      throw new OverloadError(`Postgres has not finished what others wait for within ${limit_ms / 1000} s`)
    },
  }
}
