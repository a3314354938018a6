/** The defaults of personal settings in new accounts. Source: protocol/events.md 3.5. */
import { z } from 'zod'
import { AllUsers } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'
import { type SettingValue, settingValue, toClientValue } from './setting-values.js'

/** The organization changed the default of a personal setting. */
export const settingDefaultUpdated = entry<{ property: string; value: SettingValue }>({
  kind: 'realm_user_settings_defaults/update',
  type: 'realm_user_settings_defaults',
  description: 'A default of the settings of new users changed.',
  event: z.object({
    type: z.literal('realm_user_settings_defaults'),
    op: z.literal('update'),
    property: z.string(),
    value: settingValue,
  }),
  audience: () => AllUsers,
  project: ({ property, value }, profile) => ({
    type: 'realm_user_settings_defaults',
    op: 'update',
    property,
    value: toClientValue(profile, property, value),
  }),
})
