/**
 * Runs a call again whose outcome rests on stale state: the memory of a replica may lag behind the others.
 *
 * 1. A read waits for the barrier first: it is at least as new as every write already answered, on any replica.
 * 2. A write runs at once on the state in memory. If that state was stale and permitted too much, the guarded commit
 *    throws `StaleStateError`. If it was stale and permitted too little, the handler throws an error, which is final
 *    only if the structure has not moved once the barrier has passed. In both cases the call runs again on newer state.
 * 3. An error that says that it is final is never retried: that of a parameter, of a rate limit, and every error after
 *    a committed change.
 */
import { ApiError, errors } from '../../domain/protocol/errors.js'
import { StaleStateError } from '../../store/log/log.js'
import type { MaybePromise } from '../../store/log/maybe-promise.js'
import type { Realm } from '../../store/log/realm.js'
import { returnSpentAllowances } from './allowances.js'
import type { Next, Outcome, RunningCall } from './running-call.js'

/** After so many attempts a call takes the structure lock, so that no other structural change can come between. */
const ATTEMPTS_WITHOUT_LOCK = 3
/** The most attempts of a call whose structure moves each time. After these, the call fails with SERVER_NOT_READY. */
export const MAX_ATTEMPTS = 50

/** Step: runs the following steps, as often as their outcome rests on stale state. Throws SERVER_NOT_READY. */
export const retry = (call: RunningCall, next: Next): Promise<Outcome> => {
  call.attempt = next
  return retryOnConflict(call.realm, call.endpoint.barrier, (holdsStructureLock) => {
    returnSpentAllowances(call)
    call.holdsStructureLock = holdsStructureLock
    return next(call)
  })
}

/**
 * Runs an attempt again until its outcome does not rest on stale state (1, 2). Throws SERVER_NOT_READY after
 * MAX_ATTEMPTS, and what the attempt throws.
 */
export const retryOnConflict = async <T>(
  realm: Realm | undefined,
  isRead: boolean,
  attempt: (holdsStructureLock: boolean) => MaybePromise<T>,
): Promise<T> => {
  if (realm === undefined) return attempt(false)
  if (isRead) await realm.barrier()
  for (let round = 1; ; round++) {
    const before = realm.structureSeq
    try {
      return await (round > ATTEMPTS_WITHOUT_LOCK ? realm.withStructureLock(async () => attempt(true)) : attempt(false))
    } catch (error) {
      if (error instanceof StaleStateError) {
        realm.counts.guardRetries += 1
        if (round === MAX_ATTEMPTS) throw errors.notReady()
        await realm.catchUp()
      } else {
        const isFinal = isRead || !(error instanceof ApiError) || error.isFinal || round === MAX_ATTEMPTS
        if (isFinal) throw error
        await realm.barrier()
        if (realm.structureSeq === before) throw error
      }
    }
  }
}
