/**
 * Structural changes of one realm, one at a time (store/log/structure-lock.ts).
 *
 * Waiting for the lock takes time, in which the caller may have lost a role or the account. So the caller's row must
 * still be the very row that was authenticated and permitted: every change replaces the rows that it changes. And the
 * session with which the caller authenticated must not have ended.
 */
import { StaleStateError } from '../../store/log/log.js'
import type { WriteContext } from '../../store/log/write-context.js'
import type { Caller } from '../contract/caller.js'

/**
 * Runs `work` while it holds the structure lock of the realm. Throws StaleStateError when the row of the caller changed
 * while the call waited for the lock.
 * @param caller undefined: the call has no caller, and its handler checks by itself what it rests on
 * @param work gets a context that was opened after the lock was taken; it reads the state of that time or a newer one
 */
export const withStructureLock = <T>(
  { caller, write }: { caller: Caller | undefined; write: WriteContext },
  work: (write: WriteContext) => Promise<T>,
): Promise<T> =>
  write.withStructureLock((locked) => {
    const { users, sessions } = locked.realm.state
    if (caller !== undefined && users.get(caller.id) !== caller.user) throw new StaleStateError()
    if (caller?.session !== undefined && !sessions.has(caller.session.id)) throw new StaleStateError()
    return work(locked)
  })
