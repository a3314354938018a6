/** Personal settings as parameters: one for each of domain/settings/user-settings.ts, in the form that its type travels in. */
import { z } from 'zod'
import { emojisetByAlias } from '../../../domain/protocol/aliases.js'
import type { GivenSettings } from '../../../domain/settings/user-setting-rules.js'
import { type UserSettings, userSettings, withoutDefault } from '../../../domain/settings/user-settings.js'
import { either, int, json, type Param, str } from '../../http/params.js'

type SettingParams = { [K in keyof UserSettings]: Param<GivenSettings[K]> }

/** One of a few words, plain or in quotes. */
const words = (allowed: readonly string[]) =>
  either(
    z
      .string()
      .refine((word) => allowed.includes(word))
      .meta({ enum: allowed }),
  )

const paramOf = (name: string, schema: z.ZodType): Param => {
  // Its bounds have a refusal of their own.
  if (name === 'email_notifications_batching_period_seconds') return int()
  if (name === 'emojiset') return words(Object.keys(emojisetByAlias))
  if (schema instanceof z.ZodEnum) return words(schema.options as string[])
  return schema instanceof z.ZodString ? str() : json(schema)
}

/** All of them, each optional. */
export const settingParams = Object.fromEntries(
  Object.entries(userSettings.shape).map(([name, schema]) => [name, paramOf(name, schema).optional()]),
) as unknown as SettingParams

/** Those that an organization may decide for new accounts. */
export const settingDefaultParams = Object.fromEntries(
  Object.entries(settingParams).filter(([name]) => !(withoutDefault as readonly string[]).includes(name)),
) as unknown as Omit<SettingParams, (typeof withoutDefault)[number]>
