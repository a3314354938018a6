/**
 * Permissions on a user group. No user may change a system group.
 *
 * A user who may manage all groups of the organization, or this group, has every permission on it, whatever its other
 * settings say. Source: protocol/permissions.md 12.1.
 */
import type { Account, Organization, UserGroup } from './organization.js'
import { mayInGroup, mayInRealm } from './permissions.js'

/** Whether the user may manage the group. To manage is to rename, describe, set up, deactivate and reactivate it. */
export const canManageGroup = (organization: Organization, user: Account, group: UserGroup): boolean =>
  !group.is_system_group &&
  (mayInRealm(organization, user, 'can_manage_all_groups') || mayInGroup(organization, user, group, 'can_manage_group'))

/** Whether the user may add any users and subgroups to the group. */
export const canAddToGroup = (organization: Organization, user: Account, group: UserGroup): boolean =>
  !group.is_system_group &&
  (canManageGroup(organization, user, group) || mayInGroup(organization, user, group, 'can_add_members_group'))

/** Whether the user may add these users to the group. `can_join_group` counts only if they are the user alone. */
export const canAddMembers = (
  organization: Organization,
  user: Account,
  group: UserGroup,
  user_ids: readonly number[],
): boolean => {
  if (canAddToGroup(organization, user, group)) return true
  return !group.is_system_group && isOnlySelf(user, user_ids) && mayInGroup(organization, user, group, 'can_join_group')
}

/** Whether the user may remove any users from the group. */
export const canRemoveFromGroup = (organization: Organization, user: Account, group: UserGroup): boolean =>
  !group.is_system_group &&
  (canManageGroup(organization, user, group) || mayInGroup(organization, user, group, 'can_remove_members_group'))

/** Whether the user may remove these users from the group. `can_leave_group` counts only if they are the user alone. */
export const canRemoveMembers = (
  organization: Organization,
  user: Account,
  group: UserGroup,
  user_ids: readonly number[],
): boolean => {
  if (canRemoveFromGroup(organization, user, group)) return true
  return (
    !group.is_system_group && isOnlySelf(user, user_ids) && mayInGroup(organization, user, group, 'can_leave_group')
  )
}

const isOnlySelf = (user: Account, user_ids: readonly number[]): boolean => user_ids.every((id) => id === user.id)
