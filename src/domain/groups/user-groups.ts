/**
 * The user group object of the protocol, and the members of groups.
 *
 * Source: protocol/events.md 2.5, protocol/permissions.md 2.
 */
import { z } from 'zod'
import { userGroupRules } from '#rules/group-settings.js'
import { isHolder } from '#rules/permissions.js'
import { isFullMember } from '#rules/roles.js'
import { type GroupRow, Role, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { type UserGroupSetting, wireValue } from '../permissions/group-setting-rules.js'
import { errors } from '../protocol/errors.js'
import { groupSettingValue, SystemGroup, systemGroups } from '../settings/group-setting-values.js'

const groupValues = Object.fromEntries(Object.keys(userGroupRules).map((name) => [name, groupSettingValue])) as Record<
  UserGroupSetting,
  typeof groupSettingValue
>

/** The user group object of answers and events. */
export const groupObject = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  members: z.array(z.int()),
  direct_subgroup_ids: z.array(z.int()),
  is_system_group: z.boolean(),
  creator_id: z.int().nullable(),
  date_created: z.int().nullable(),
  deactivated: z.boolean(),
  ...groupValues,
})

export type GroupObject = z.infer<typeof groupObject>

/** The system groups that a user is directly in. Full members are in role:members too. */
export const directSystemGroups = (state: RealmState, user: UserRow, now?: number): number[] => {
  switch (user.role) {
    case Role.owner:
      return [SystemGroup.owners]
    case Role.administrator:
      return [SystemGroup.administrators]
    case Role.moderator:
      return [SystemGroup.moderators]
    case Role.guest:
      return [SystemGroup.everyone]
    default:
      return isFullMember(state, user, now) ? [SystemGroup.fullmembers, SystemGroup.members] : [SystemGroup.members]
  }
}

/** Lists the direct members of every system group, ascending. One pass over the users serves all eight groups. */
export const systemGroupMembers = (state: RealmState, now?: number): ReadonlyMap<number, number[]> => {
  const members = new Map<number, number[]>(systemGroups.map(({ id }) => [id, []]))
  for (const user of state.users.values()) {
    if (!user.is_active || user.is_system_bot) continue
    for (const id of directSystemGroups(state, user, now)) members.get(id)?.push(user.id)
  }
  for (const ids of members.values()) ids.sort((a, b) => a - b)
  return members
}

/** Active direct members of a custom group, ascending. */
export const activeMembers = (state: RealmState, group_id: number): number[] =>
  [...state.directMembers(group_id)].filter((id) => state.users.get(id)?.is_active === true).sort((a, b) => a - b)

/** The group of this id. Throws BAD_REQUEST. */
export const findGroup = (state: RealmState, group_id: number): GroupRow => {
  const group = state.groups.get(group_id)
  if (group === undefined) throw errors.invalidUserGroup()
  return group
}

/** The group of this id, if it is not deactivated. Throws BAD_REQUEST. */
export const requireActiveGroup = (state: RealmState, group_id: number): GroupRow => {
  const group = findGroup(state, group_id)
  if (group.deactivated) throw errors.userGroupDeactivated()
  return group
}

/** Direct subgroups, ascending; of a system group, the one it contains. */
export const directSubgroupIds = (state: RealmState, group: GroupRow): number[] => {
  if (!group.is_system_group) return [...state.directSubgroups(group.id)].sort((a, b) => a - b)
  const contained = systemGroups.find(({ id }) => id === group.id)?.contains ?? null
  return contained === null ? [] : [contained]
}

/** Subgroups of the group, at any depth, ascending. */
export const allSubgroups = (state: RealmState, group: GroupRow): number[] => {
  const found = new Set<number>()
  const pending = directSubgroupIds(state, group)
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const inner = state.groups.get(id)
    if (found.has(id) || inner === undefined) continue
    found.add(id)
    pending.push(...directSubgroupIds(state, inner))
  }
  return [...found].sort((a, b) => a - b)
}

/** Active users in the group or in one of its subgroups, ascending. */
export const allMembers = (state: RealmState, group: GroupRow): number[] =>
  [...state.users.values()]
    .filter((user) => !user.is_system_bot && isHolder(state, user, group.id))
    .map(({ id }) => id)
    .sort((a, b) => a - b)

/** Active users directly in the group, ascending. */
export const directMembers = (state: RealmState, group: GroupRow): number[] =>
  group.is_system_group ? (systemGroupMembers(state).get(group.id) ?? []) : activeMembers(state, group.id)

/**
 * The user group object.
 * @param members its active direct members, ascending: `systemGroupMembers` or `activeMembers`
 */
export const groupOnWire = (state: RealmState, group: GroupRow, members: number[]): GroupObject => ({
  id: group.id,
  name: group.name,
  description: group.description,
  members,
  direct_subgroup_ids: directSubgroupIds(state, group),
  is_system_group: group.is_system_group,
  creator_id: group.creator_id,
  date_created: group.date_created,
  deactivated: group.deactivated,
  can_add_members_group: wireValue(state, group.can_add_members_group),
  can_join_group: wireValue(state, group.can_join_group),
  can_leave_group: wireValue(state, group.can_leave_group),
  can_manage_group: wireValue(state, group.can_manage_group),
  can_mention_group: wireValue(state, group.can_mention_group),
  can_remove_members_group: wireValue(state, group.can_remove_members_group),
})
