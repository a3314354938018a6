/**
 * `server_supported_permission_settings`: the values that each group setting may have, for clients that change it.
 * Derived from the rules that check such changes. Source: protocol/register.md 5.1.4.
 */

import { z } from 'zod'
import { channelGroupRules, type GroupSettingRule, realmGroupRules, userGroupRules } from '#rules/group-settings.js'
import { defaultChannelGroups } from '../channels/channels.js'
import { SystemGroup, systemGroups } from '../settings/group-setting-values.js'
import { realmGroupSettings } from '../settings/realm-settings.js'

/** The values that a group setting may have. */
export const permissionRule = z.object({
  require_system_group: z.boolean(),
  allow_internet_group: z.boolean(),
  allow_nobody_group: z.boolean(),
  allow_everyone_group: z.boolean(),
  default_group_name: z.string(),
  default_for_system_groups: z.string().nullable(),
  allowed_system_groups: z.array(z.string()),
})

const settings = z.record(z.string(), permissionRule)

export const supportedPermissionSettings = z.object({ realm: settings, stream: settings, group: settings })

const nameOf = (group: number): string => systemGroups.find(({ id }) => id === group)?.name ?? ''

const described = (
  rules: Readonly<Record<string, GroupSettingRule>>,
  defaults: Readonly<Record<string, string>>,
  default_for_system_groups: string | null,
) =>
  Object.fromEntries(
    Object.entries(rules).map(([name, { everyone, nobody, only }]): [string, z.infer<typeof permissionRule>] => [
      name,
      {
        require_system_group: only !== undefined,
        allow_internet_group: false,
        allow_nobody_group: nobody,
        allow_everyone_group: everyone,
        default_group_name: defaults[name] ?? nameOf(SystemGroup.nobody),
        default_for_system_groups,
        allowed_system_groups: (only ?? []).map(nameOf),
      },
    ]),
  )

const namedValues = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, nameOf(value as number)]))

export const supportedPermissionSettingsValue: z.infer<typeof supportedPermissionSettings> = {
  realm: described(realmGroupRules, namedValues(realmGroupSettings), null),
  stream: described(
    channelGroupRules,
    { ...namedValues(defaultChannelGroups(undefined)), can_administer_channel_group: 'stream_creator_or_nobody' },
    null,
  ),
  group: described(
    userGroupRules,
    {
      can_add_members_group: 'group_creator',
      can_leave_group: nameOf(SystemGroup.everyone),
      can_manage_group: 'group_creator',
      can_mention_group: nameOf(SystemGroup.everyone),
    },
    nameOf(SystemGroup.nobody),
  ),
}
