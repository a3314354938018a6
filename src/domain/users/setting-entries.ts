/**
 * Somebody's personal settings changed, or those that new accounts start with.
 *
 * One change is up to two events: clients that do not know the settings object also get it in an older form, which
 * only some settings have. Source: events.md 3.4 and 3.5.
 */
import { z } from 'zod'
import { Everyone, only } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'
import type { Profile } from '../log/profile.js'
import { emojisetAlias } from '../protocol/aliases.js'

const settingValue = z.union([z.boolean(), z.int(), z.string()])

export type SettingValue = z.infer<typeof settingValue>

interface Changed {
  /** whose settings they are */
  user_id: number
  property: string
  value: SettingValue
  /** of a language: its name in English */
  language_name?: string
}

/** The value under the name that the program knows it by: image sets have two. */
const named = (property: string, value: SettingValue, { older_names }: Profile): SettingValue =>
  property === 'emojiset' && older_names ? emojisetAlias[value as keyof typeof emojisetAlias] : value

const language = { language_name: z.string().optional() }

const languageOf = ({ language_name }: { language_name?: string }) =>
  language_name === undefined ? {} : { language_name }

/** One of the receiver's own settings has another value. */
export const userSettingUpdated = entry<Changed>({
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
    value: named(property, value, profile),
    ...languageOf(rest),
  }),
})

interface ChangedBefore extends Changed {
  /** the API address of the account */
  user: string
}

/** The same of a display setting, for clients that do not know the settings object. */
export const displaySettingUpdated = entry<ChangedBefore>({
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
          setting: named(property, value, profile),
          ...languageOf(rest),
        },
})

/** The same of a notification setting. */
export const notificationSettingUpdated = entry<ChangedBefore>({
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

/** New accounts start with another value. */
export const settingDefaultUpdated = entry<{ property: string; value: SettingValue }>({
  kind: 'realm_user_settings_defaults/update',
  type: 'realm_user_settings_defaults',
  event: z.object({
    type: z.literal('realm_user_settings_defaults'),
    op: z.literal('update'),
    property: z.string(),
    value: settingValue,
  }),
  audience: () => Everyone,
  project: ({ property, value }, profile) => ({
    type: 'realm_user_settings_defaults',
    op: 'update',
    property,
    value: named(property, value, profile),
  }),
})
