/**
 * The users who enter or leave a system group when roles or the waiting period change.
 *
 * Membership in system groups has no rows: it follows from the role and the age of the account, and so do its events.
 * Source: protocol/permissions.md 1 (change of class), protocol/events.md 3.3 and 4.10.
 */

import { secondsNow } from '#rules/time.js'
import type { NewEntry } from '../log/entry.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { groupMembersAdded, groupMembersRemoved } from './group-entries.js'
import { directSystemGroups } from './user-groups.js'

/** The entries for the changed members. New and deactivated users have entries of their own. */
export const systemGroupChanges = (before: RealmState, after: RealmState, now = secondsNow()): NewEntry[] => {
  const removed = new Map<number, number[]>()
  const added = new Map<number, number[]>()
  for (const [previous, user] of usersWithChangedGroups(before, after)) {
    const was = directSystemGroups(before, previous, now)
    const is = directSystemGroups(after, user, now)
    for (const id of was) if (!is.includes(id)) addToList(removed, id, user.id)
    for (const id of is) if (!was.includes(id)) addToList(added, id, user.id)
  }
  const composeEntries = (kind: typeof groupMembersAdded, changes: Map<number, number[]>) =>
    [...changes]
      .sort(([a], [b]) => a - b)
      .map(([group_id, ids]) => kind({ group_id, deactivated: false, ids: ids.sort((a, b) => a - b) }))
  return [...composeEntries(groupMembersRemoved, removed), ...composeEntries(groupMembersAdded, added)]
}

/** The users whose system groups may differ: each as before and as after. */
function* usersWithChangedGroups(before: RealmState, after: RealmState): Iterable<readonly [UserRow, UserRow]> {
  const everyone = before.settings.waiting_period_threshold !== after.settings.waiting_period_threshold
  if (!everyone && before.users === after.users) return
  for (const user of after.users.values()) {
    const previous = before.users.get(user.id)
    if (previous === undefined || !previous.is_active || !user.is_active || user.is_system_bot) continue
    if (everyone || previous.role !== user.role) yield [previous, user]
  }
}

const addToList = (changes: Map<number, number[]>, group_id: number, user_id: number): void => {
  const ids = changes.get(group_id)
  if (ids === undefined) changes.set(group_id, [user_id])
  else ids.push(user_id)
}
