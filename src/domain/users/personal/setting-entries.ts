/**
 * A user changed a personal setting.
 *
 * One change produces up to two events: clients without the `user_settings_object` capability also receive an older
 * form, which only some settings have.
 * Source: protocol/events.md 3.4. Defaults of new accounts: realm/setting-default-entries.ts.
 */
import { z } from 'zod'
import { onlyUsers } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'
import { type SettingValue, settingValue, toClientValue } from '../../realm/setting-values.js'

interface SettingChange {
  /** the user to whom the setting belongs */
  user_id: number
  property: string
  value: SettingValue
  /** for a language, its English name */
  language_name?: string
}

const language = { language_name: z.string().optional() }

const languageFields = ({ language_name }: { language_name?: string }) =>
  language_name === undefined ? {} : { language_name }

/** A setting of the recipient changed. */
export const userSettingUpdated = entry<SettingChange>({
  kind: 'user_settings/update',
  type: 'user_settings',
  description: 'A setting of the user changed.',
  event: z.object({
    type: z.literal('user_settings'),
    op: z.literal('update'),
    property: z.string(),
    value: settingValue,
    ...language,
  }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ property, value, ...rest }, profile) => ({
    type: 'user_settings',
    op: 'update',
    property,
    value: toClientValue(profile, property, value),
    ...languageFields(rest),
  }),
})

interface LegacySettingChange extends SettingChange {
  /** the API address of the account */
  user: string
}

/** A display setting changed. The event is for clients without the `user_settings_object` capability. */
export const displaySettingUpdated = entry<LegacySettingChange>({
  kind: 'update_display_settings',
  type: 'update_display_settings',
  description: 'The older form of `user_settings` for display settings.',
  noExample: 'It is an older form, for clients without `user_settings_object`.',
  event: z.object({
    type: z.literal('update_display_settings'),
    user: z.string(),
    setting_name: z.string(),
    setting: settingValue,
    ...language,
  }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ user, property, value, ...rest }, profile) =>
    profile.user_settings_object
      ? null
      : {
          type: 'update_display_settings',
          user,
          setting_name: property,
          setting: toClientValue(profile, property, value),
          ...languageFields(rest),
        },
})

/** A notification setting changed. The event is for clients without the `user_settings_object` capability. */
export const notificationSettingUpdated = entry<LegacySettingChange>({
  kind: 'update_global_notifications',
  type: 'update_global_notifications',
  description: 'The older form of `user_settings` for settings of notifications.',
  noExample: 'It is an older form, for clients without `user_settings_object`.',
  event: z.object({
    type: z.literal('update_global_notifications'),
    user: z.string(),
    notification_name: z.string(),
    setting: settingValue,
  }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ user, property, value }, { user_settings_object }) =>
    user_settings_object
      ? null
      : { type: 'update_global_notifications', user, notification_name: property, setting: value },
})
