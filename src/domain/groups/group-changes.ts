/**
 * What creating and changing a user group writes and tells, and when it is refused. Its members: group-members.ts.
 *
 * Source: endpoints.md 1.6, 2.3 and 3.6; permissions.md section 12.
 */

import { limits } from '../limits/limits.js'
import type { NewEntry } from '../log/entry.js'
import { inserted, updated } from '../log/row-changes.js'
import type { GroupRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import {
  checkedValue,
  type GroupSettingUpdate,
  type UserGroupSetting,
  updatedValue,
  userGroupRules,
} from '../permissions/group-setting-rules.js'
import { secondsNow } from '../permissions/permissions.js'
import { errors } from '../protocol/errors.js'
import { type GroupSettingValue, SystemGroup } from '../settings/group-setting-values.js'
import { groupAdded, groupDeactivated, groupReactivated, groupUpdated } from './group-entries.js'
import { activeAccounts, activeGroups } from './group-members.js'
import { usesOf } from './group-uses.js'
import { activeMembers, groupIn, groupOnWire } from './user-groups.js'

export const groupSettingNames = Object.keys(userGroupRules) as UserGroupSetting[]

/** Names that begin like these would read as something else in a mention or a link. */
const reservedPrefixes = ['@', 'role:', 'user:', 'stream:', 'channel:']

/** The name, if the group may have it. Throws BAD_REQUEST. */
const checkedGroupName = (state: RealmState, given: string, own_id?: number): string => {
  const name = given.trim()
  if (name === '') throw errors.badRequest('A user group needs a name.')
  if ([...name].length > limits.max_group_name_length) {
    throw errors.badRequest(`A user group name may have at most ${limits.max_group_name_length} characters.`)
  }
  const prefix = reservedPrefixes.find((reserved) => name.startsWith(reserved))
  if (prefix !== undefined) throw errors.badRequest(`A user group name must not begin with '${prefix}'.`)
  const other = state.groupByName(name)
  if (other !== undefined && other.id !== own_id)
    throw errors.badRequest(`There is a user group '${name}' already: choose another name.`)
  return name
}

export interface NewGroup {
  name: string
  description: string
  members: readonly number[]
  subgroups: readonly number[]
  settings: Partial<Record<UserGroupSetting, GroupSettingValue | undefined>>
}

/** Creates a group. Throws BAD_REQUEST and what checkedValue throws. */
export const createGroup = (state: RealmState, creator: UserRow, wanted: NewGroup): NewEntry => {
  const name = checkedGroupName(state, wanted.name)
  const members = activeAccounts(state, wanted.members)
  const subgroups = activeGroups(state, wanted.subgroups)
  const id = state.nextId('groups')
  const group: GroupRow = {
    id,
    name,
    description: wanted.description,
    is_system_group: false,
    creator_id: creator.id,
    date_created: secondsNow(),
    deactivated: false,
    ...settingsOfNewGroup(creator),
    ...checkedSettings(state, wanted.settings),
  }
  const counter = updated('counters', { name: 'groups', value: id - 1 }, { value: id })
  const rows = [
    inserted('groups', group),
    ...members.map((user_id) => inserted('group_members', { group_id: id, user_id })),
    ...subgroups.map((subgroup_id) => inserted('group_subgroups', { group_id: id, subgroup_id })),
    ...(counter === undefined ? [] : [counter]),
  ]
  return groupAdded({ group: { ...groupOnWire(state, group, members), direct_subgroup_ids: subgroups } }, rows)
}

/** Who holds each setting of a new group when its creator says nothing. */
const settingsOfNewGroup = ({ id }: UserRow): Record<UserGroupSetting, GroupSettingValue> => {
  const creator = { direct_members: [id], direct_subgroups: [] }
  return {
    can_add_members_group: creator,
    can_join_group: SystemGroup.nobody,
    can_leave_group: SystemGroup.everyone,
    can_manage_group: creator,
    can_mention_group: SystemGroup.everyone,
    can_remove_members_group: SystemGroup.nobody,
  }
}

const checkedSettings = (state: RealmState, given: NewGroup['settings']) => {
  const checked: Partial<Record<UserGroupSetting, GroupSettingValue>> = {}
  for (const setting of groupSettingNames) {
    const value = given[setting]
    if (value !== undefined) checked[setting] = checkedValue(state, setting, userGroupRules[setting], value)
  }
  return checked
}

/** Gives the group another name. */
export const renameGroup =
  (group_id: number, given: string): Step =>
  (state) => {
    const name = checkedGroupName(state, given, group_id)
    return changed(state, group_id, { name }, { name })
  }

export const describeGroup =
  (group_id: number, description: string): Step =>
  (state) =>
    changed(state, group_id, { description }, { description })

/** Gives one setting of the group to others. Throws EXPECTATION_MISMATCH and what checkedValue throws. */
export const setGroupSetting =
  (group_id: number, setting: UserGroupSetting, update: GroupSettingUpdate): Step =>
  (state) => {
    const stored = groupIn(state, group_id)[setting]
    const value = updatedValue(state, setting, userGroupRules[setting], stored, update)
    return value === undefined ? [] : changed(state, group_id, { [setting]: value }, { [setting]: value })
  }

/** The group takes these values; the client is told of them as `data`. */
const changed = (
  state: RealmState,
  group_id: number,
  patch: Partial<GroupRow>,
  data: Parameters<typeof groupUpdated>[0]['data'],
): NewEntry[] => {
  const group = groupIn(state, group_id)
  const row = updated('groups', group, patch)
  return row === undefined ? [] : [groupUpdated({ group_id, deactivated: group.deactivated, data }, [row])]
}

/** Takes the group out of use. Throws CANNOT_DEACTIVATE_GROUP_IN_USE, and BAD_REQUEST when it is out of use. */
export const deactivateGroup =
  (group_id: number): Step =>
  (state) => {
    const group = groupIn(state, group_id)
    if (group.deactivated) throw errors.userGroupDeactivated()
    const objections = usesOf(state, group_id)
    if (objections.length > 0) throw errors.cannotDeactivateGroupInUse({ objections })
    const row = updated('groups', group, { deactivated: true })
    return [groupDeactivated({ group_id }, row === undefined ? [] : [row])]
  }

/** Takes a deactivated group into use again; one that is in use stays as it is. */
export const reactivateGroup =
  (group_id: number): Step =>
  (state) => {
    const group = groupIn(state, group_id)
    const row = updated('groups', group, { deactivated: false })
    if (row === undefined) return []
    const present = { ...group, deactivated: false }
    return [groupReactivated({ group: groupOnWire(state, present, activeMembers(state, group_id)) }, [row])]
  }
