/**
 * The settings and groups that use a user group, so that it cannot be deactivated: the `objections` of the error.
 *
 * A group-setting value uses a group by being its id, or by listing it. Archived channels and deactivated
 * groups do not count.
 * Source: protocol/endpoints.md 2.3, protocol/permissions.md 12.3.
 */

import { channelGroupRules, realmGroupRules, userGroupRules } from '#rules/group-settings.js'
import type { RealmState } from '../log/state.js'
import type { GroupSettingValue } from '../settings/group-setting-values.js'

export type GroupUse =
  | { type: 'subgroup'; supergroup_ids: number[] }
  | { type: 'channel'; channel_id: number; settings: string[] }
  | { type: 'user_group'; group_id: number; settings: string[] }
  | { type: 'realm'; settings: string[] }

/** All uses of the group. */
export const findGroupUses = (state: RealmState, group_id: number): GroupUse[] => {
  const names = (value: GroupSettingValue) =>
    typeof value === 'number' ? value === group_id : value.direct_subgroups.includes(group_id)
  const settingsIn = <S extends string>(
    holder: Readonly<Record<NoInfer<S>, GroupSettingValue>>,
    rules: Readonly<Record<S, unknown>>,
  ) => (Object.keys(rules) as S[]).filter((setting) => names(holder[setting]))

  const uses: GroupUse[] = []
  const groups = [...state.groups.values()].filter((group) => !group.deactivated).sort((a, b) => a.id - b.id)
  const above = groups.filter(({ id }) => state.directSubgroups(id).has(group_id))
  if (above.length > 0) uses.push({ type: 'subgroup', supergroup_ids: above.map(({ id }) => id) })
  for (const channel of [...state.channels.values()].sort((a, b) => a.id - b.id)) {
    const settings = channel.is_archived ? [] : settingsIn(channel, channelGroupRules)
    if (settings.length > 0) uses.push({ type: 'channel', channel_id: channel.id, settings })
  }
  for (const group of groups) {
    const settings = settingsIn(group, userGroupRules)
    if (settings.length > 0) uses.push({ type: 'user_group', group_id: group.id, settings })
  }
  const settings = settingsIn(state.settings, realmGroupRules)
  if (settings.length > 0) uses.push({ type: 'realm', settings })
  return uses
}
