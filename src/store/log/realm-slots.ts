/**
 * Limits how much work of one realm uses connections to Postgres at the same time, so that a busy realm leaves some of
 * the pool to the others.
 *
 * 1. All changes of a realm wait for the lock of its head, each with a connection. One of a few holds the lock, and the
 *    others run the statements before it: more would only wait.
 * 2. What finds no slot waits in order, without a connection. While the first has waited for MAX_WAIT_MS, further work
 *    is refused with OverloadError, so the queue cannot grow without bound.
 */
import pLimit from 'p-limit'
import { createWorkTimer, type WorkTimer } from '../overload.js'

/** Transactions of a realm that change it. */
export const TRANSACTION_SLOTS = 3
/** Reads of a realm that may take long: history and search (store/standbys/standby-reads.ts). */
export const READ_SLOTS = 4

const MAX_WAIT_MS = 5_000

/** Runs work in a slot. Throws OverloadError (2). */
export type RunInSlot = <T>(work: () => Promise<T>) => Promise<T>

/** Creates slots for one kind of work of one realm. */
export const createSlots = (count: number): RunInSlot => {
  const limit = pLimit(count)
  const waiting: WorkTimer[] = []
  return async (work) => {
    waiting[0]?.requireProgress()
    const timer = createWorkTimer(MAX_WAIT_MS)
    timer.begin()
    waiting.push(timer)
    return limit(() => {
      // In the order in which they came.
      waiting.shift()
      return work()
    })
  }
}
