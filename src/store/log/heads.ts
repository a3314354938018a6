/**
 * Reads the heads of logs from Postgres, for the read barrier (decisions/004-no-barrier-in-redis.md).
 *
 * 1. An answer is at least as new as every commit before the call.
 * 2. One query runs at a time, for all realms of this process; calls during a query share the next one. So the rate of
 *    queries is bounded by the round trip, however many reads there are.
 * 3. While a query takes longer than MAX_QUERY_MS, calls throw OverloadError instead of waiting for the next one.
 */

import { createWorkTimer } from '../overload.js'
import type { Sql } from '../sql.js'
import { loadHeads } from './log.js'

/** Reads the seq of the last entry that was committed in this realm before the call. */
export type ReadHead = (realm_id: number) => Promise<number>

const MAX_QUERY_MS = 5_000

/** Creates the function that reads heads, with the queue of its calls (2). */
export const createHeadReader = (sql: Sql): ReadHead => {
  let next: { realm_ids: Set<number>; answer: Promise<Map<number, number>> } | undefined
  let underWay: Promise<unknown> = Promise.resolve()

  const timer = createWorkTimer(MAX_QUERY_MS)

  const ask = () => {
    const question = next as NonNullable<typeof next>
    next = undefined
    timer.begin()
    return loadHeads(sql, [...question.realm_ids]).finally(timer.end)
  }

  return async (realm_id) => {
    timer.requireProgress()
    if (next === undefined) {
      const answer = underWay.then(ask, ask)
      next = { realm_ids: new Set(), answer }
      underWay = answer
    }
    next.realm_ids.add(realm_id)
    return (await next.answer).get(realm_id) ?? 0
  }
}
