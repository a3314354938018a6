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
 * 4. A queue that serves clients which connect refuses those that would wait longer than a limit, by the time that each
 *    of the last ones took: a client that gives up and comes again makes the queue longer. The refusal says when to
 *    come again: at a random moment of the time in which the queue serves all that it has refused lately. So they come
 *    at the rate at which it can serve them, also those that add no random time by themselves.
 * 5. A pause of this process is not a wait for Postgres: waits are counted in ticks of a timer, which a pause delays
 *    too.
 */
import { errors } from '../domain/protocol/errors.js'
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

/** Ticks of this process, by which all queues measure (5). The timer keeps no process alive. */
const clock = { ticks: 0 }
setInterval(() => {
  clock.ticks += 1
}, TICK_MS).unref()

/** Milliseconds of this process, counted in ticks (5). */
export const readTicks = (): number => clock.ticks * TICK_MS

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
      began = readTicks()
    },
    end() {
      began = undefined
    },
    requireProgress() {
      if (began === undefined || readTicks() - began <= limit_ms) return
      throw new OverloadError(`Postgres has not finished what others wait for within ${limit_ms / 1000} s`)
    },
  }
}

/** Decides which clients a queue accepts (4). */
export interface Admission {
  /** Throws SERVER_BUSY when a client would wait too long. @param waiting the clients before it */
  admit(waiting: number): void
  /** Notes the time from one client to the next: so many were served in so many milliseconds. */
  noteServed(clients: number, milliseconds: number): void
}

/** How long a refused client counts among those that will come again. */
const REFUSED_MS = 30_000
const LONGEST_RETRY_MS = 60_000
const MAX_COUNTED = 64

/** Creates the admission of a queue. @param max_wait_ms milliseconds that a client may wait */
export const createAdmission = (
  max_wait_ms: number,
  random = Math.random,
  now = () => performance.now(),
): Admission => {
  let each_ms = 0
  /** how many of the last clients the time is the mean of */
  let counted = 0
  /** the clients that were refused lately: the weight of each falls with the time */
  let refused = 0
  let refusedAt = Number.NEGATIVE_INFINITY
  return {
    admit(waiting) {
      if (waiting * each_ms <= max_wait_ms) return
      const at = now()
      refused = refused * Math.exp((refusedAt - at) / REFUSED_MS) + 1
      refusedAt = at
      const served_ms = Math.min(LONGEST_RETRY_MS, max_wait_ms + refused * each_ms)
      throw errors.serverBusy({ 'retry-after': Math.ceil((random() * served_ms) / 1_000) })
    },
    noteServed(clients, milliseconds) {
      counted = Math.min(MAX_COUNTED, counted + clients)
      each_ms += (milliseconds / clients - each_ms) * Math.min(1, clients / counted)
    },
  }
}
