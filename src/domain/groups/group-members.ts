/**
 * Adding and removing the members and subgroups of a user group.
 *
 * A request fails as a whole: adding a present member, or removing an absent one, is an error. consequences.ts makes
 * the entries for users who see other channels afterwards. Source: protocol/endpoints.md 3.6, protocol/permissions.md
 * 12.2.
 */

import { composeDelete, composeInsert } from '../log/row-changes.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import { errors } from '../protocol/errors.js'
import { groupMembersAdded, groupMembersRemoved, subgroupsAdded, subgroupsRemoved } from './group-entries.js'
import { allSubgroups, findGroup } from './user-groups.js'

/** Adds users as direct members. Throws BAD_REQUEST for one that is a member, unknown or deactivated. */
export const addMembers =
  (group_id: number, given: readonly number[]): Step =>
  (state) => {
    const ids = requireActiveUsers(state, given)
    const group = findGroup(state, group_id)
    const members = state.directMembers(group_id)
    const present = ids.find((id) => members.has(id))
    if (present !== undefined) throw errors.badRequest(`User ${present} is in this group already.`)
    const rows = ids.map((user_id) => composeInsert('group_members', { group_id, user_id }))
    return [groupMembersAdded({ group_id, deactivated: group.deactivated, ids }, rows)]
  }

/** Removes direct members. Throws BAD_REQUEST for a user who is not one. */
export const removeMembers =
  (group_id: number, given: readonly number[]): Step =>
  (state) => {
    const ids = requireActiveUsers(state, given)
    const group = findGroup(state, group_id)
    const members = state.directMembers(group_id)
    const absent = ids.find((id) => !members.has(id))
    if (absent !== undefined) throw errors.badRequest(`User ${absent} is not in this group.`)
    const rows = ids.map((user_id) => composeDelete('group_members', { group_id, user_id }))
    return [groupMembersRemoved({ group_id, deactivated: group.deactivated, ids }, rows)]
  }

/** Adds subgroups. Throws BAD_REQUEST for one that is in the group, or that contains the group. */
export const addSubgroups =
  (group_id: number, given: readonly number[]): Step =>
  (state) => {
    const ids = requireActiveGroups(state, given)
    const group = findGroup(state, group_id)
    const subgroups = state.directSubgroups(group_id)
    const present = ids.find((id) => subgroups.has(id))
    if (present !== undefined) throw errors.badRequest(`Group ${present} is in this group already.`)
    // A group must not contain itself, at any depth.
    if (ids.some((id) => id === group_id || allSubgroups(state, findGroup(state, id)).includes(group_id))) {
      throw errors.badRequest(`Group ${group_id} would contain itself.`)
    }
    const rows = ids.map((subgroup_id) => composeInsert('group_subgroups', { group_id, subgroup_id }))
    return [subgroupsAdded({ group_id, deactivated: group.deactivated, ids }, rows)]
  }

/** Removes direct subgroups. Throws BAD_REQUEST for one that is not directly in the group. */
export const removeSubgroups =
  (group_id: number, given: readonly number[]): Step =>
  (state) => {
    const ids = sortUnique(given)
    for (const id of ids) if (!state.groups.has(id)) throw errors.invalidUserGroupId({ group_id: id })
    const group = findGroup(state, group_id)
    const subgroups = state.directSubgroups(group_id)
    const absent = ids.find((id) => !subgroups.has(id))
    if (absent !== undefined) throw errors.badRequest(`Group ${absent} is not in this group.`)
    const rows = ids.map((subgroup_id) => composeDelete('group_subgroups', { group_id, subgroup_id }))
    return [subgroupsRemoved({ group_id, deactivated: group.deactivated, ids }, rows)]
  }

/** The ids, each once and ascending. Throws BAD_REQUEST for a user who is unknown or deactivated. */
export const requireActiveUsers = (state: RealmState, given: readonly number[]): number[] => {
  const ids = sortUnique(given)
  for (const user_id of ids) {
    const user = state.users.get(user_id)
    if (user?.is_active !== true || user.is_system_bot) throw errors.invalidUserId({ user_id })
  }
  return ids
}

/** The ids, each once and ascending. Throws BAD_REQUEST for a group that is unknown or deactivated. */
export const requireActiveGroups = (state: RealmState, given: readonly number[]): number[] => {
  const ids = sortUnique(given)
  for (const group_id of ids) {
    const group = state.groups.get(group_id)
    if (group === undefined) throw errors.invalidUserGroupId({ group_id })
    if (group.deactivated) throw errors.userGroupDeactivated()
  }
  return ids
}

const sortUnique = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)
