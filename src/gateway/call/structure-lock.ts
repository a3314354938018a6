/**
 * Structural changes of one realm, one at a time (store/log/structure-lock.ts).
 *
 * 1. An endpoint declares that it changes the structure. Its handler then runs under the lock, with a write context
 *    that was opened under it.
 * 2. Waiting for the lock takes time, in which the caller may have lost a role or the account. So the caller's row must
 *    still be the very row that was authenticated and permitted: every change replaces the rows that it changes. And
 *    the session or the API key with which the caller authenticated must not have ended.
 */

import { StaleStateError } from '../../store/log/log.js'
import type { MaybePromise } from '../../store/log/maybe-promise.js'
import type { WriteContext } from '../../store/log/write-context.js'
import { hasCredentials } from '../auth/caller-credentials.js'
import type { Caller } from '../contract/caller.js'
import type { Next, Outcome, RunningCall } from './running-call.js'

/**
 * Step: locks the structure for the handler of an endpoint that changes it (1). Throws StaleStateError when the row of
 * the caller has changed.
 */
export const lockStructure = (call: RunningCall, next: Next): MaybePromise<Outcome> => {
  const { endpoint, caller, write } = call
  if (endpoint.changesStructure !== true || write === undefined) return next(call)
  return withStructureLock({ caller, write }, async (locked) => {
    call.write = locked
    return next(call)
  })
}

/**
 * Runs `work` while it holds the structure lock of the realm. Throws StaleStateError when the row of the caller changed
 * while the call waited for the lock (2).
 * @param caller undefined: the call has no caller, and its handler checks by itself what it rests on
 * @param work gets a context that was opened after the lock was taken; it reads the state of that time or a newer one
 */
export const withStructureLock = <T>(
  { caller, write }: { caller: Caller | undefined; write: WriteContext },
  work: (write: WriteContext) => Promise<T>,
): Promise<T> =>
  write.withStructureLock((locked) => {
    const { state } = locked.realm
    if (caller !== undefined) {
      if (state.users.get(caller.id) !== caller.user || !hasCredentials(state, caller)) throw new StaleStateError()
    }
    return work(locked)
  })
