/**
 * The checks of a group-setting value that a client sends, by the rules of rules/src/group-settings.ts.
 *
 * Source: protocol/permissions.md 3 and 4, protocol/errors.md 9.
 */
import { z } from 'zod'
import type { GroupSettingRule } from '#rules/group-settings.js'
import type { ChannelRow, GroupRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'
import {
  type GroupSettingValue,
  groupSettingValue,
  normalizeGroupSettingValue,
  SystemGroup,
} from '../settings/group-setting-values.js'

export type ChannelGroupSetting = Extract<keyof ChannelRow, `can_${string}_group`>
export type UserGroupSetting = Extract<keyof GroupRow, `can_${string}_group`>

/** The form in which an update endpoint takes a setting. */
export const groupSettingUpdate = z.object({ new: groupSettingValue, old: groupSettingValue.optional() })

export type GroupSettingUpdate = z.infer<typeof groupSettingUpdate>

/** The value as clients see it: in its one form, without deactivated accounts. */
export const wireValue = (state: RealmState, value: GroupSettingValue): GroupSettingValue =>
  typeof value === 'number'
    ? value
    : normalizeGroupSettingValue({
        direct_members: value.direct_members.filter((id) => state.users.get(id)?.is_active === true),
        direct_subgroups: value.direct_subgroups,
      })

/** Whether two values name the same holders: lists as sets, deactivated accounts left out. */
const isSameValue = (state: RealmState, a: GroupSettingValue, b: GroupSettingValue): boolean =>
  JSON.stringify(wireValue(state, a)) === JSON.stringify(wireValue(state, b))

/**
 * The value in its one form, if this setting may have it. A system group that may not hold the setting may not hold it
 * in an object either, nor as a subgroup of another group: all of its users would hold the setting.
 * Throws BAD_REQUEST or SYSTEM_GROUP_REQUIRED (protocol/errors.md 9, steps 5 to 8).
 */
export const validateGroupSetting = (
  state: RealmState,
  setting_name: string,
  rule: GroupSettingRule,
  input: GroupSettingValue,
): GroupSettingValue => {
  const value = normalizeGroupSettingValue(input)
  if (typeof value !== 'number') {
    if (rule.only !== undefined) throw errors.systemGroupRequired({ setting_name })
    for (const user_id of value.direct_members) {
      if (state.users.get(user_id)?.is_active !== true) throw errors.invalidUserId({ user_id })
    }
    for (const group_id of value.direct_subgroups) {
      const group = state.groups.get(group_id)
      if (group === undefined) throw errors.invalidUserGroupId({ group_id })
      if (group.deactivated) throw errors.userGroupDeactivated()
    }
    requireAllowedGroups(state, setting_name, rule, value.direct_subgroups)
    return value
  }
  const group = state.groups.get(value)
  if (group === undefined) throw errors.invalidUserGroup()
  if (group.deactivated) throw errors.userGroupDeactivated()
  requireAllowedGroups(state, setting_name, rule, [value])
  if (rule.only !== undefined && !group.is_system_group) throw errors.systemGroupRequired({ setting_name })
  return value
}

/** Throws BAD_REQUEST for a group, among these and their subgroups, that may not hold the setting. */
const requireAllowedGroups = (
  state: RealmState,
  setting_name: string,
  rule: GroupSettingRule,
  ids: readonly number[],
): void => {
  const pending = [...ids]
  const seen = new Set<number>()
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const group = state.groups.get(id)
    if (group === undefined || seen.has(id)) continue
    seen.add(id)
    if (isExcluded(rule, group)) throw errors.groupNotAllowed({ setting_name, group_name: group.name })
    // A system group contains those of the stronger roles, which are no reason to refuse it.
    if (!group.is_system_group) pending.push(...state.directSubgroups(id))
  }
}

const isExcluded = (rule: GroupSettingRule, { id, is_system_group }: GroupRow): boolean =>
  id === SystemGroup.internet ||
  (id === SystemGroup.everyone && !rule.everyone) ||
  (id === SystemGroup.nobody && !rule.nobody) ||
  id === rule.not ||
  (rule.only !== undefined && is_system_group && !rule.only.includes(id))

/**
 * Returns the new value of a setting after an update. Returns undefined when the setting has that value already.
 * `old` is compared before `new` is validated, so a stale `old` is reported first (protocol/permissions.md 3.2).
 * Throws EXPECTATION_MISMATCH and what validateGroupSetting throws.
 */
export const updatedValue = (
  state: RealmState,
  setting_name: string,
  rule: GroupSettingRule,
  stored: GroupSettingValue,
  update: GroupSettingUpdate,
): GroupSettingValue | undefined => {
  if (update.old !== undefined && !isSameValue(state, update.old, stored)) throw errors.oldValueMismatch()
  const known = [stored, wireValue(state, stored)].map((value) => JSON.stringify(value))
  if (known.includes(JSON.stringify(normalizeGroupSettingValue(update.new)))) return undefined
  return validateGroupSetting(state, setting_name, rule, update.new)
}
