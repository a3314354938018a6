/**
 * Fetch names `user_settings`, `realm_user_settings_defaults`, and the two older forms of them. Source:
 * protocol/register.md 5.8, protocol/events.md 3.4.
 */
import { z } from 'zod'
import { emojisetName } from '../protocol/aliases.js'
import {
  defaultUserSettings,
  displaySettings,
  emojisets,
  notificationSettings,
  notificationSounds,
  type UserSettings,
  userSettings,
} from '../settings/user-settings.js'
import { sharedSection } from './shared-sections.js'
import { type Field, field, type SnapshotRequest } from './snapshot-request.js'

const emojisetChoices = { set_a: 'Modern', set_b: 'Classic', set_c: 'Alternative', text: 'Plain text' } as const

/** An image set of emoji that the user can choose. */
export const emojisetChoice = z.object({ key: z.string(), text: z.string() })

const choices = {
  emojiset_choices: z.array(emojisetChoice),
  available_notification_sounds: z.array(z.string()),
}

/** Settings on the wire: an image set may have its older name. */
const shown = userSettings.extend({ emojiset: z.string(), ...choices })

/** The settings of a user, with the values of those that have a list of choices. */
export const userSettingsObject = shown.extend({ timezone: z.string() })

/** The settings of new users. Whether their data may be exported, only they decide. */
export const settingsDefaultsObject = shown.omit({ allow_private_data_export: true })

const withChoices = ({ profile }: SnapshotRequest, settings: UserSettings): z.infer<typeof shown> => ({
  ...settings,
  emojiset: emojisetName(profile, settings.emojiset),
  emojiset_choices: emojisets.map((name) => ({ key: emojisetName(profile, name), text: emojisetChoices[name] })),
  available_notification_sounds: [...notificationSounds],
})

/** The viewer's settings; for a spectator those of a new account. */
const settingsOf = ({ state, viewer }: SnapshotRequest): UserSettings =>
  viewer === null ? { ...defaultUserSettings, ...state.realm.user_settings_defaults } : state.userSettings(viewer)

export const userSettingsSection = {
  user_settings: field(userSettingsObject, (request) => ({
    ...withChoices(request, settingsOf(request)),
    timezone: request.viewer?.timezone ?? '',
  })),
}

export const settingsDefaultsSection = sharedSection({
  realm_user_settings_defaults: field(settingsDefaultsObject, (request) => {
    const { allow_private_data_export: _, ...rest } = withChoices(request, {
      ...defaultUserSettings,
      ...request.state.realm.user_settings_defaults,
    })
    return rest
  }),
})

/** The older form: settings as keys of the answer itself, for clients that do not know the object. */
const legacy = <N extends keyof UserSettings | keyof typeof choices>(names: readonly N[]) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      field((shown.shape[name] as z.ZodType).optional(), (request) =>
        request.profile.user_settings_object ? undefined : withChoices(request, settingsOf(request))[name],
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
