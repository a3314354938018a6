/** The value of a personal setting in events: of one account, or the default of new accounts. */
import { z } from 'zod'
import type { Profile } from '../log/profile.js'
import { emojisetAlias } from '../protocol/aliases.js'

export const settingValue = z.union([z.boolean(), z.int(), z.string()])

export type SettingValue = z.infer<typeof settingValue>

/** The value under the name that the client knows; image sets have two names. */
export const toClientValue = ({ older_names }: Profile, property: string, value: SettingValue): SettingValue =>
  property === 'emojiset' && older_names ? emojisetAlias[value as keyof typeof emojisetAlias] : value
