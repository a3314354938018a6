/**
 * Who comes into which system group, and who leaves one, when roles or the waiting period change.
 *
 * Membership in system groups has no rows: it follows from the role and the age of the account, and so do its events.
 * Source: permissions.md section 1 (change of class), events.md 3.3 and 4.10.
 */

import type { NewEntry } from '../log/entry.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { secondsNow } from '../permissions/permissions.js'
import { groupMembersAdded, groupMembersRemoved } from './group-entries.js'
import { systemGroupsOf } from './user-groups.js'

/** The entries that tell of it. Accounts that come or go as a whole are told of otherwise. */
export const systemGroupChanges = (before: RealmState, after: RealmState, now = secondsNow()): NewEntry[] => {
  const removed = new Map<number, number[]>()
  const added = new Map<number, number[]>()
  for (const [former, user] of suspects(before, after)) {
    const was = systemGroupsOf(before, former, now)
    const is = systemGroupsOf(after, user, now)
    for (const id of was) if (!is.includes(id)) addTo(removed, id, user.id)
    for (const id of is) if (!was.includes(id)) addTo(added, id, user.id)
  }
  const told = (kind: typeof groupMembersAdded, changes: Map<number, number[]>) =>
    [...changes]
      .sort(([a], [b]) => a - b)
      .map(([group_id, ids]) => kind({ group_id, deactivated: false, ids: ids.sort((a, b) => a - b) }))
  return [...told(groupMembersRemoved, removed), ...told(groupMembersAdded, added)]
}

/** Accounts that may be in other groups now, as they were and as they are. */
function* suspects(before: RealmState, after: RealmState): Iterable<readonly [UserRow, UserRow]> {
  const everyone = before.settings.waiting_period_threshold !== after.settings.waiting_period_threshold
  if (!everyone && before.users === after.users) return
  for (const user of after.users.values()) {
    const former = before.users.get(user.id)
    if (former === undefined || !former.is_active || !user.is_active || user.is_system_bot) continue
    if (everyone || former.role !== user.role) yield [former, user]
  }
}

const addTo = (changes: Map<number, number[]>, group_id: number, user_id: number): void => {
  const ids = changes.get(group_id)
  if (ids === undefined) changes.set(group_id, [user_id])
  else ids.push(user_id)
}
