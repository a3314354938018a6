/**
 * The checks and entries of creating and changing a user group. Its members: group-members.ts.
 *
 * Source: protocol/endpoints.md 1.6, 2.3 and 3.6; protocol/permissions.md 12.
 */

import { canManageGroup } from '#rules/group-access.js'
import { userGroupRules } from '#rules/group-settings.js'
import { secondsNow } from '#rules/time.js'
import { limits } from '../limits/limits.js'
import type { NewEntry } from '../log/entry.js'
import { composeInsert, composeUpdate } from '../log/row-changes.js'
import type { GroupRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import {
  type GroupSettingUpdate,
  type UserGroupSetting,
  updatedValue,
  validateGroupSetting,
} from '../permissions/group-setting-rules.js'
import { errors } from '../protocol/errors.js'
import { type GroupSettingValue, SystemGroup } from '../settings/group-setting-values.js'
import { openNameIndex } from '../text/name-index.js'
import { requireVisibleName } from '../text/names.js'
import { groupAdded, groupDeactivated, groupReactivated, groupUpdated } from './group-entries.js'
import { requireActiveGroups, requireActiveUsers } from './group-members.js'
import { findGroupUses } from './group-uses.js'
import { activeMembers, findGroup, groupOnWire } from './user-groups.js'

/** Names of the group settings that each user group has. They are those of protocol/permissions.md 4.2. */
export const groupSettingNames = Object.keys(userGroupRules) as UserGroupSetting[]

/** A name with such a prefix would be read as something else in a mention or a link. */
const reservedPrefixes = ['@', 'role:', 'user:', 'stream:', 'channel:']

/** The trimmed name. Throws BAD_REQUEST when it is invalid or taken. */
const checkGroupName = (state: RealmState, input: string, own_id?: number): string => {
  const name = input.trim()
  if (name === '') throw errors.badRequest('A user group needs a name.')
  if ([...name].length > limits.max_group_name_length) {
    throw errors.badRequest('A user group name may have at most {max} characters.', {
      max: limits.max_group_name_length,
    })
  }
  const prefix = reservedPrefixes.find((reserved) => name.startsWith(reserved))
  if (prefix !== undefined) throw errors.badRequest('A user group name must not begin with “{prefix}”.', { prefix })
  if (state.groups.get(own_id ?? 0)?.name !== name) requireVisibleName(name, 'group')
  if (findGroupLike(state, name, own_id) !== undefined)
    throw errors.badRequest('There is a user group “{name}” already: choose another name.', { name })
  return name
}

const findGroupLike = openNameIndex<GroupRow>({
  tables: ['groups'],
  rows: (state) => state.groups.values(),
  nameOf: ({ name }) => name,
  ignoresCase: false,
})

export interface NewGroup {
  name: string
  description: string
  members: readonly number[]
  subgroups: readonly number[]
  settings: Partial<Record<UserGroupSetting, GroupSettingValue | undefined>>
}

/** The entry that creates a group. Throws BAD_REQUEST and what validateGroupSetting throws. */
export const createGroup = (state: RealmState, creator: UserRow, properties: NewGroup): NewEntry => {
  const name = checkGroupName(state, properties.name)
  const members = requireActiveUsers(state, properties.members)
  const subgroups = requireActiveGroups(state, properties.subgroups)
  const id = state.nextId('groups')
  const group: GroupRow = {
    id,
    name,
    description: properties.description,
    is_system_group: false,
    creator_id: creator.id,
    date_created: secondsNow(),
    deactivated: false,
    ...defaultGroupSettings(creator),
    ...checkSettings(state, properties.settings),
  }
  const counter = composeUpdate('counters', { name: 'groups', value: id - 1 }, { value: id })
  const rows = [
    composeInsert('groups', group),
    ...members.map((user_id) => composeInsert('group_members', { group_id: id, user_id })),
    ...subgroups.map((subgroup_id) => composeInsert('group_subgroups', { group_id: id, subgroup_id })),
    ...(counter === undefined ? [] : [counter]),
  ]
  return groupAdded({ group: { ...groupOnWire(state, group, members), direct_subgroup_ids: subgroups } }, rows)
}

/** The settings of a new group for which the request gives no value. */
const defaultGroupSettings = ({ id }: UserRow): Record<UserGroupSetting, GroupSettingValue> => {
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

const checkSettings = (state: RealmState, input: NewGroup['settings']) => {
  const checked: Partial<Record<UserGroupSetting, GroupSettingValue>> = {}
  for (const setting of groupSettingNames) {
    const value = input[setting]
    if (value !== undefined) checked[setting] = validateGroupSetting(state, setting, userGroupRules[setting], value)
  }
  return checked
}

/** The group of this id, if the user may change it. Throws BAD_REQUEST. */
export const requireManageableGroup = (state: RealmState, user: UserRow, group_id: number): GroupRow => {
  const group = findGroup(state, group_id)
  if (!canManageGroup(state, user, group)) throw errors.insufficientPermission()
  return group
}

/** The new properties of a group; an absent one does not change. */
export interface GroupUpdate extends Partial<Record<UserGroupSetting, GroupSettingUpdate>> {
  name?: string
  description?: string
  /** false reactivates a deactivated group; true does nothing */
  deactivated?: boolean
}

/** The steps that change a group. Throws BAD_REQUEST and EXPECTATION_MISMATCH, in the steps. */
export const changeGroup = (group_id: number, update: GroupUpdate): Step[] => {
  const { name, description, deactivated } = update
  const steps: Step[] = []
  if (deactivated === false) steps.push(reactivateGroup(group_id))
  if (name !== undefined) steps.push(renameGroup(group_id, name))
  if (description !== undefined) steps.push(describeGroup(group_id, description))
  for (const setting of groupSettingNames) {
    const value = update[setting]
    if (value !== undefined) steps.push(setGroupSetting(group_id, setting, value))
  }
  return steps
}

/** Renames the group. Throws BAD_REQUEST. */
const renameGroup =
  (group_id: number, input: string): Step =>
  (state) => {
    const name = checkGroupName(state, input, group_id)
    return updateGroup(state, group_id, { name }, { name })
  }

/** Changes the group's description. */
const describeGroup =
  (group_id: number, description: string): Step =>
  (state) =>
    updateGroup(state, group_id, { description }, { description })

/** Changes one group setting. Throws EXPECTATION_MISMATCH and what validateGroupSetting throws. */
const setGroupSetting =
  (group_id: number, setting: UserGroupSetting, update: GroupSettingUpdate): Step =>
  (state) => {
    const stored = findGroup(state, group_id)[setting]
    const value = updatedValue(state, setting, userGroupRules[setting], stored, update)
    return value === undefined ? [] : updateGroup(state, group_id, { [setting]: value }, { [setting]: value })
  }

/** The entry that sets these columns, with `data` for the event; none when nothing changes. */
const updateGroup = (
  state: RealmState,
  group_id: number,
  patch: Partial<GroupRow>,
  data: Parameters<typeof groupUpdated>[0]['data'],
): NewEntry[] => {
  const group = findGroup(state, group_id)
  const row = composeUpdate('groups', group, patch)
  return row === undefined ? [] : [groupUpdated({ group_id, deactivated: group.deactivated, data }, [row])]
}

/** Deactivates the group. Throws CANNOT_DEACTIVATE_GROUP_IN_USE, and BAD_REQUEST when it is deactivated. */
export const deactivateGroup =
  (group_id: number): Step =>
  (state) => {
    const group = findGroup(state, group_id)
    if (group.deactivated) throw errors.userGroupDeactivated()
    const objections = findGroupUses(state, group_id)
    if (objections.length > 0) throw errors.cannotDeactivateGroupInUse({ objections })
    const row = composeUpdate('groups', group, { deactivated: true })
    return [groupDeactivated({ group_id }, row === undefined ? [] : [row])]
  }

/** Reactivates a deactivated group; does nothing for an active one. */
const reactivateGroup =
  (group_id: number): Step =>
  (state) => {
    const group = findGroup(state, group_id)
    const row = composeUpdate('groups', group, { deactivated: false })
    if (row === undefined) return []
    const present = { ...group, deactivated: false }
    return [groupReactivated({ group: groupOnWire(state, present, activeMembers(state, group_id)) }, [row])]
  }
