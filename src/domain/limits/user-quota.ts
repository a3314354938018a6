/** The most active accounts of humans that the operator permits an organization. */
import type { RowChange } from '../log/row-changes.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'

const isHuman = ({ is_active, is_bot }: Pick<UserRow, 'is_active' | 'is_bot'>): boolean => is_active && !is_bot

/** Throws BAD_REQUEST when the changes add users beyond the quota. The quota counts active accounts of humans. */
export const checkUserQuota = (state: RealmState, changes: readonly RowChange[]): void => {
  const quota = state.realm.user_quota
  if (quota === null) return
  const added = changes.filter((change) => {
    if (change.table !== 'users' || change.after === null) return false
    const before = state.users.get((change.key as UserRow).id)
    const after = { ...before, ...change.after } as UserRow
    return isHuman(after) && (before === undefined || !isHuman(before))
  }).length
  if (added === 0) return
  let present = 0
  for (const user of state.users.values()) if (isHuman(user)) present += 1
  if (present + added > quota) {
    throw errors.badRequest(
      'The operator of this server permits the organization {quota} accounts: deactivate one first.',
      { quota },
    )
  }
}
