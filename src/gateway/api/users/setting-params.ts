/** The parameters for personal settings, derived from the types in domain/settings/user-settings.ts. */
import { z } from 'zod'
import { emojisetByAlias } from '../../../domain/protocol/aliases.js'
import { ONLY_STORED } from '../../../domain/settings/reader.js'
import type { GivenSettings } from '../../../domain/settings/user-setting-rules.js'
import {
  isWithoutEffect,
  settingReaders,
  type UserSettings,
  userSettings,
  withoutDefault,
} from '../../../domain/settings/user-settings.js'
import { either, int, json, type Param, str } from '../../call/params.js'

type SettingParams = { [K in keyof UserSettings]: Param<GivenSettings[K]> }

/** One of a few words, plain or in quotes. */
const declareWord = (allowed: readonly string[]) =>
  either(
    z
      .string()
      .refine((word) => allowed.includes(word))
      .meta({ enum: allowed }),
  )

const declareWire = (name: string, schema: z.ZodType): Param => {
  // The handler checks its bounds, with an error text of their own.
  if (name === 'email_notifications_batching_period_seconds') return int()
  if (name === 'emojiset') return declareWord(Object.keys(emojisetByAlias))
  if (schema instanceof z.ZodEnum) return declareWord(schema.options as string[])
  return schema instanceof z.ZodString ? str() : json(schema)
}

/** The name of an image set as it is stored. */
const storedValue = (name: string, value: unknown): unknown =>
  name === 'emojiset' ? emojisetByAlias[value as keyof typeof emojisetByAlias] : value

/** An optional parameter. The answer names it if nothing acts on its value. */
const declareSetting = (name: keyof UserSettings): Param => {
  const param = declareWire(name, userSettings.shape[name])
    .optional()
    .onlyStored((value) => isWithoutEffect(name, storedValue(name, value)))
  return settingReaders[name] === 'none' ? param.describe(ONLY_STORED) : param
}

/** The parameters for all personal settings, each optional. */
export const settingParams = Object.fromEntries(
  (Object.keys(userSettings.shape) as (keyof UserSettings)[]).map((name) => [name, declareSetting(name)]),
) as unknown as SettingParams

/** The parameters for the settings that have a default for new accounts. An organization can choose this default. */
export const settingDefaultParams = Object.fromEntries(
  Object.entries(settingParams).filter(([name]) => !(withoutDefault as readonly string[]).includes(name)),
) as unknown as Omit<SettingParams, (typeof withoutDefault)[number]>
