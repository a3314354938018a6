/**
 * Adding and removing the members and subgroups of a user group.
 *
 * A request fails as a whole: adding a present member, or removing an absent one, is an error. consequences.ts makes
 * the entries for users who see other channels afterwards. Source: protocol/endpoints.md 3.6, protocol/permissions.md
 * 12.2.
 */

import { canAddMembers, canAddToGroup, canManageGroup, canRemoveMembers } from '#rules/group-access.js'
import type { Sentence } from '../languages/texts.js'
import { composeDelete, composeInsert } from '../log/row-changes.js'
import type { GroupRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import { errors } from '../protocol/errors.js'
import { groupMembersAdded, groupMembersRemoved, subgroupsAdded, subgroupsRemoved } from './group-entries.js'
import { allSubgroups, findGroup } from './user-groups.js'

/** The ids of users and groups that a request adds to a group, and of those that it removes. */
export interface MemberChanges {
  readonly add: readonly number[]
  readonly delete: readonly number[]
  readonly add_subgroups: readonly number[]
  readonly delete_subgroups: readonly number[]
}

/** Refuses a request whose lists are all empty. Throws BAD_REQUEST. @param refusal names the lists */
export const checkAnyChange = (changes: MemberChanges, refusal: Sentence): void => {
  const { add, delete: removed, add_subgroups, delete_subgroups } = changes
  if ([add, removed, add_subgroups, delete_subgroups].every((list) => list.length === 0))
    throw errors.badRequest(refusal)
}

/**
 * The steps that change the members and the subgroups of a group. Throws BAD_REQUEST for a user who may not make all of
 * these changes; the permissions are checked before the ids are looked up.
 */
export const changeMembers = (state: RealmState, user: UserRow, group: GroupRow, changes: MemberChanges): Step[] => {
  if (!mayChangeMembers(state, user, group, changes)) throw errors.insufficientPermission()
  const { add, delete: removed, add_subgroups, delete_subgroups } = changes
  const steps: Step[] = []
  if (add.length > 0) steps.push(addMembers(group.id, add))
  if (removed.length > 0) steps.push(removeMembers(group.id, removed))
  if (add_subgroups.length > 0) steps.push(addSubgroups(group.id, add_subgroups))
  if (delete_subgroups.length > 0) steps.push(removeSubgroups(group.id, delete_subgroups))
  return steps
}

const mayChangeMembers = (state: RealmState, user: UserRow, group: GroupRow, changes: MemberChanges): boolean =>
  (changes.add.length === 0 || canAddMembers(state, user, group, changes.add)) &&
  (changes.delete.length === 0 || canRemoveMembers(state, user, group, changes.delete)) &&
  (changes.add_subgroups.length === 0 || canAddToGroup(state, user, group)) &&
  (changes.delete_subgroups.length === 0 || canManageGroup(state, user, group))

/** Adds users as direct members. Throws BAD_REQUEST for one that is a member, unknown or deactivated. */
export const addMembers =
  (group_id: number, input: readonly number[]): Step =>
  (state) => {
    const ids = requireActiveUsers(state, input)
    const group = findGroup(state, group_id)
    const members = state.directMembers(group_id)
    const present = ids.find((id) => members.has(id))
    if (present !== undefined) throw errors.badRequest('User {id} is in this group already.', { id: present })
    const rows = ids.map((user_id) => composeInsert('group_members', { group_id, user_id }))
    return [groupMembersAdded({ group_id, deactivated: group.deactivated, ids }, rows)]
  }

/** Removes direct members. Throws BAD_REQUEST for a user who is not one. */
export const removeMembers =
  (group_id: number, input: readonly number[]): Step =>
  (state) => {
    const ids = requireActiveUsers(state, input)
    const group = findGroup(state, group_id)
    const members = state.directMembers(group_id)
    const absent = ids.find((id) => !members.has(id))
    if (absent !== undefined) throw errors.badRequest('User {id} is not in this group.', { id: absent })
    const rows = ids.map((user_id) => composeDelete('group_members', { group_id, user_id }))
    return [groupMembersRemoved({ group_id, deactivated: group.deactivated, ids }, rows)]
  }

/** Adds subgroups. Throws BAD_REQUEST for one that is in the group, or that contains the group. */
const addSubgroups =
  (group_id: number, input: readonly number[]): Step =>
  (state) => {
    const ids = requireActiveGroups(state, input)
    const group = findGroup(state, group_id)
    const subgroups = state.directSubgroups(group_id)
    const present = ids.find((id) => subgroups.has(id))
    if (present !== undefined) throw errors.badRequest('Group {id} is in this group already.', { id: present })
    // A group must not contain itself, at any depth.
    if (ids.some((id) => id === group_id || allSubgroups(state, findGroup(state, id)).includes(group_id))) {
      throw errors.badRequest('Group {group_id} would contain itself.', { group_id })
    }
    const rows = ids.map((subgroup_id) => composeInsert('group_subgroups', { group_id, subgroup_id }))
    return [subgroupsAdded({ group_id, deactivated: group.deactivated, ids }, rows)]
  }

/** Removes direct subgroups. Throws BAD_REQUEST for one that is not directly in the group. */
const removeSubgroups =
  (group_id: number, input: readonly number[]): Step =>
  (state) => {
    const ids = sortUnique(input)
    for (const id of ids) if (!state.groups.has(id)) throw errors.invalidUserGroupId({ group_id: id })
    const group = findGroup(state, group_id)
    const subgroups = state.directSubgroups(group_id)
    const absent = ids.find((id) => !subgroups.has(id))
    if (absent !== undefined) throw errors.badRequest('Group {id} is not in this group.', { id: absent })
    const rows = ids.map((subgroup_id) => composeDelete('group_subgroups', { group_id, subgroup_id }))
    return [subgroupsRemoved({ group_id, deactivated: group.deactivated, ids }, rows)]
  }

/** The ids, each once and ascending. Throws BAD_REQUEST for a user who is unknown or deactivated. */
export const requireActiveUsers = (state: RealmState, input: readonly number[]): number[] => {
  const ids = sortUnique(input)
  for (const user_id of ids) {
    const user = state.users.get(user_id)
    if (user?.is_active !== true || user.is_system_bot) throw errors.invalidUserId({ user_id })
  }
  return ids
}

/** The ids, each once and ascending. Throws BAD_REQUEST for a group that is unknown or deactivated. */
export const requireActiveGroups = (state: RealmState, input: readonly number[]): number[] => {
  const ids = sortUnique(input)
  for (const group_id of ids) {
    const group = state.groups.get(group_id)
    if (group === undefined) throw errors.invalidUserGroupId({ group_id })
    if (group.deactivated) throw errors.userGroupDeactivated()
  }
  return ids
}

const sortUnique = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)
