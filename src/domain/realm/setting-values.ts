/** The value of a personal setting in events: of one account, or the default of new accounts. */
import { z } from 'zod'
import type { EventForm } from '../log/profile.js'
import { emojisetName } from '../protocol/aliases.js'
import type { UserSettings } from '../settings/user-settings.js'

export const settingValue = z.union([z.boolean(), z.int(), z.string()])

export type SettingValue = z.infer<typeof settingValue>

/** The value under the name that the client knows; image sets have two names. */
export const toClientValue = (form: EventForm, property: string, value: SettingValue): SettingValue =>
  property === 'emojiset' ? emojisetName(form, value as UserSettings['emojiset']) : value
