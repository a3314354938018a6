/**
 * Who may do what to a user group. To a system group nobody may do anything.
 *
 * Whoever may manage every group of the organization, or this one, has every right without being named by its other
 * settings. Source: permissions.md 12.1.
 */

import type { GroupRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { mayInGroup, mayInRealm } from '../permissions/permissions.js'

/** Whether the user may rename, describe, set up, deactivate and reactivate the group. */
export const managesGroup = (state: RealmState, user: UserRow, group: GroupRow): boolean =>
  !group.is_system_group &&
  (mayInRealm(state, user, 'can_manage_all_groups') || mayInGroup(state, user, group, 'can_manage_group'))

/** Whether the user may put other groups into the group, or anybody. */
export const mayAddToGroup = (state: RealmState, user: UserRow, group: GroupRow): boolean =>
  !group.is_system_group &&
  (managesGroup(state, user, group) || mayInGroup(state, user, group, 'can_add_members_group'))

/** Whether the user may make these accounts members; with others among them it is no joining. */
export const mayAddMembers = (
  state: RealmState,
  user: UserRow,
  group: GroupRow,
  user_ids: readonly number[],
): boolean => {
  if (mayAddToGroup(state, user, group)) return true
  return !group.is_system_group && isOnlySelf(user, user_ids) && mayInGroup(state, user, group, 'can_join_group')
}

/** Whether the user may take these accounts out; with others among them it is no leaving. */
export const mayRemoveMembers = (
  state: RealmState,
  user: UserRow,
  group: GroupRow,
  user_ids: readonly number[],
): boolean => {
  if (group.is_system_group) return false
  if (managesGroup(state, user, group)) return true
  if (mayInGroup(state, user, group, 'can_remove_members_group')) return true
  return isOnlySelf(user, user_ids) && mayInGroup(state, user, group, 'can_leave_group')
}

const isOnlySelf = (user: UserRow, user_ids: readonly number[]): boolean => user_ids.every((id) => id === user.id)
