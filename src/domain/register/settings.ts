/**
 * Fetch names `user_settings`, `realm_user_settings_defaults`, and the two older forms of the same. Source:
 * register.md 5.8, events.md 3.4.
 */
import { z } from 'zod'
import { defaultUserSettings, emojisetAlias, emojisets, type UserSettings, userSettings } from '../user-settings.js'
import { type Asked, type Field, field } from './asked.js'

const emojisetChoices = { set_a: 'Modern', set_b: 'Classic', set_c: 'Alternative', text: 'Plain text' } as const
/** Names of sounds; the first is what a new account hears. */
const notificationSounds = [defaultUserSettings.notification_sound]

const choices = {
  emojiset_choices: z.array(z.object({ key: z.string(), text: z.string() })),
  available_notification_sounds: z.array(z.string()),
}

/** Settings on the wire: an image set may go by its older name. */
const shown = userSettings.extend({ emojiset: z.string(), ...choices })

/** Programs written for other servers of this protocol know the image sets by other names. */
const knowsAliases = ({ client }: Asked): boolean => client.startsWith('Zulip')

const setName = (asked: Asked, name: UserSettings['emojiset']): string =>
  knowsAliases(asked) ? emojisetAlias[name] : name

const withChoices = (asked: Asked, settings: UserSettings): z.infer<typeof shown> => ({
  ...settings,
  emojiset: setName(asked, settings.emojiset),
  emojiset_choices: emojisets.map((name) => ({ key: setName(asked, name), text: emojisetChoices[name] })),
  available_notification_sounds: notificationSounds,
})

/** The viewer's settings; those of a new account for somebody without one. */
const settingsOf = ({ state, viewer }: Asked): UserSettings =>
  viewer === null ? { ...defaultUserSettings, ...state.realm.user_settings_defaults } : state.settingsOf(viewer)

export const userSettingsSection = {
  user_settings: field(shown.extend({ timezone: z.string() }), (asked) => ({
    ...withChoices(asked, settingsOf(asked)),
    timezone: asked.viewer?.timezone ?? '',
  })),
}

const defaults = shown.omit({ allow_private_data_export: true })

export const settingsDefaultsSection = {
  realm_user_settings_defaults: field(defaults, (asked) => {
    const { allow_private_data_export: _, ...rest } = withChoices(asked, {
      ...defaultUserSettings,
      ...asked.state.realm.user_settings_defaults,
    })
    return rest
  }),
}

const displaySettings = [
  'color_scheme',
  'default_language',
  'web_home_view',
  'demote_inactive_streams',
  'emojiset',
  'enable_drafts_synchronization',
  'enter_sends',
  'fluid_layout_width',
  'high_contrast_mode',
  'left_side_userlist',
  'starred_message_counts',
  'translate_emoticons',
  'twenty_four_hour_time',
] as const satisfies readonly (keyof UserSettings)[]

const notificationSettings = [
  'desktop_icon_count_display',
  'email_notifications_batching_period_seconds',
  'enable_desktop_notifications',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'enable_offline_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_sounds',
  'enable_stream_audible_notifications',
  'enable_stream_desktop_notifications',
  'enable_stream_email_notifications',
  'enable_stream_push_notifications',
  'message_content_in_email_notifications',
  'notification_sound',
  'pm_content_in_desktop_notifications',
  'presence_enabled',
  'realm_name_in_email_notifications_policy',
  'wildcard_mentions_notify',
] as const satisfies readonly (keyof UserSettings)[]

/** The older form: settings as keys of the answer itself, for clients that do not know the object. */
const legacy = <N extends keyof UserSettings | keyof typeof choices>(names: readonly N[]) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      field((shown.shape[name] as z.ZodType).optional(), (asked) =>
        asked.profile.user_settings_object ? undefined : withChoices(asked, settingsOf(asked))[name],
      ),
    ]),
  ) as unknown as { [K in N]: Field<z.ZodOptional<(typeof shown.shape)[K]>> }

export const displaySettingsSection = {
  ...legacy([...displaySettings, 'emojiset_choices']),
  timezone: field(z.string().optional(), ({ profile, viewer }) =>
    profile.user_settings_object ? undefined : (viewer?.timezone ?? ''),
  ),
}

export const notificationSettingsSection = legacy([...notificationSettings, 'available_notification_sounds'])
