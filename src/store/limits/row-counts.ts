/** Refuses a caller's change that would leave more structural rows than an organization or an account may have. */
import { canExceedRowCounts, checkRowCounts } from '../../domain/limits/row-counts.js'
import { checkUserQuota } from '../../domain/limits/user-quota.js'
import { StaleStateError } from '../log/log.js'
import type { CommitHook } from '../log/write-context.js'

/**
 * Counts the rows of the state on which the change is permitted. The commit fails if the structure changed after it, so
 * concurrent requests cannot exceed a limit together. Throws BAD_REQUEST, and StaleStateError.
 */
export const limitRowCounts: CommitHook = async (_tx, { realm, guard, actor }, entries) => {
  const rows = actor === undefined ? [] : entries.flatMap((entry) => entry.rows ?? [])
  const canExceedQuota = realm.state.realm.user_quota !== null && rows.some(({ table }) => table === 'users')
  if (canExceedQuota || canExceedRowCounts(rows)) {
    if (realm.structureSeq > guard) throw new StaleStateError()
    checkRowCounts(realm.state, rows)
    checkUserQuota(realm.state, rows)
  }
  return { preceding: [], following: [] }
}
