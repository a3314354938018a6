/**
 * A user changed a personal setting.
 *
 * One change is up to two events: clients that do not know the settings object also get it in an older form, which
 * only some settings have. Source: events.md 3.4. What new accounts start with: realm/setting-default-entries.ts.
 */
import { z } from 'zod'
import { only } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'
import { namedFor, type SettingValue, settingValue } from '../realm/setting-values.js'

interface SettingChange {
  /** whose settings they are */
  user_id: number
  property: string
  value: SettingValue
  /** of a language: its name in English */
  language_name?: string
}

const language = { language_name: z.string().optional() }

const languageFields = ({ language_name }: { language_name?: string }) =>
  language_name === undefined ? {} : { language_name }

/** One of the receiver's own settings has another value. */
export const userSettingUpdated = entry<SettingChange>({
  kind: 'user_settings/update',
  type: 'user_settings',
  event: z.object({
    type: z.literal('user_settings'),
    op: z.literal('update'),
    property: z.string(),
    value: settingValue,
    ...language,
  }),
  audience: ({ user_id }) => only(user_id),
  project: ({ property, value, ...rest }, profile) => ({
    type: 'user_settings',
    op: 'update',
    property,
    value: namedFor(profile, property, value),
    ...languageFields(rest),
  }),
})

interface LegacySettingChange extends SettingChange {
  /** the API address of the account */
  user: string
}

/** The same of a display setting, for clients that do not know the settings object. */
export const displaySettingUpdated = entry<LegacySettingChange>({
  kind: 'update_display_settings',
  type: 'update_display_settings',
  event: z.object({
    type: z.literal('update_display_settings'),
    user: z.string(),
    setting_name: z.string(),
    setting: settingValue,
    ...language,
  }),
  audience: ({ user_id }) => only(user_id),
  project: ({ user, property, value, ...rest }, profile) =>
    profile.user_settings_object
      ? null
      : {
          type: 'update_display_settings',
          user,
          setting_name: property,
          setting: namedFor(profile, property, value),
          ...languageFields(rest),
        },
})

/** The same of a notification setting. */
export const notificationSettingUpdated = entry<LegacySettingChange>({
  kind: 'update_global_notifications',
  type: 'update_global_notifications',
  event: z.object({
    type: z.literal('update_global_notifications'),
    user: z.string(),
    notification_name: z.string(),
    setting: settingValue,
  }),
  audience: ({ user_id }) => only(user_id),
  project: ({ user, property, value }, { user_settings_object }) =>
    user_settings_object
      ? null
      : { type: 'update_global_notifications', user, notification_name: property, setting: value },
})
