/**
 * Permissions on a user group. No user may change a system group.
 *
 * A user who may manage all groups of the organization, or this group, has every permission on it, whatever its other
 * settings say. Source: permissions.md 12.1.
 */

import type { GroupRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { mayInGroup, mayInRealm } from '../permissions/permissions.js'

/** Whether the user may rename, describe, set up, deactivate and reactivate the group. */
export const canManageGroup = (state: RealmState, user: UserRow, group: GroupRow): boolean =>
  !group.is_system_group &&
  (mayInRealm(state, user, 'can_manage_all_groups') || mayInGroup(state, user, group, 'can_manage_group'))

/** Whether the user may add any users and subgroups to the group. */
export const canAddToGroup = (state: RealmState, user: UserRow, group: GroupRow): boolean =>
  !group.is_system_group &&
  (canManageGroup(state, user, group) || mayInGroup(state, user, group, 'can_add_members_group'))

/** Whether the user may add these users; `can_join_group` counts only if they are the user alone. */
export const canAddMembers = (
  state: RealmState,
  user: UserRow,
  group: GroupRow,
  user_ids: readonly number[],
): boolean => {
  if (canAddToGroup(state, user, group)) return true
  return !group.is_system_group && isOnlySelf(user, user_ids) && mayInGroup(state, user, group, 'can_join_group')
}

/** Whether the user may remove these users; `can_leave_group` counts only if they are the user alone. */
export const canRemoveMembers = (
  state: RealmState,
  user: UserRow,
  group: GroupRow,
  user_ids: readonly number[],
): boolean => {
  if (group.is_system_group) return false
  if (canManageGroup(state, user, group)) return true
  if (mayInGroup(state, user, group, 'can_remove_members_group')) return true
  return isOnlySelf(user, user_ids) && mayInGroup(state, user, group, 'can_leave_group')
}

const isOnlySelf = (user: UserRow, user_ids: readonly number[]): boolean => user_ids.every((id) => id === user.id)
