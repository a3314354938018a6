/**
 * Structural changes of one realm, one at a time (store/log/structure-lock.ts).
 *
 * Waiting for the turn takes time, in which the caller may have lost a role or the account. So the caller must still
 * be the very row that was authenticated and permitted: rows are replaced by every change.
 */
import { StaleStateError } from '../../store/log/log.js'
import type { Caller } from './endpoint.js'

/**
 * Runs `work` in the realm's turn.
 * @param work gets the seq on which it decides; what it reads of the state before its first await is as of then
 * Throws StaleStateError when the caller changed while it waited.
 */
export const withStructureLock = <T>(
  { caller }: { caller: Caller },
  work: (guard: number) => Promise<T>,
): Promise<T> => {
  const { realm } = caller
  return realm.withStructureLock(() => {
    if (realm.state.users.get(caller.id) !== caller.user) throw new StaleStateError()
    return work(realm.seq)
  })
}
