/**
 * Changes the organization's settings, and the default settings of new accounts.
 *
 * Source: protocol/endpoints.md 4 and 3.11; protocol/permissions.md 4.3 and 4.4.
 */
import { z } from 'zod'
import { openWays } from '../../../config/log-in-ways.js'
import { runStepsWithConsequences } from '../../../domain/groups/consequences.js'
import { groupSettingUpdate } from '../../../domain/permissions/group-setting-rules.js'
import { errors } from '../../../domain/protocol/errors.js'
import { setSettingDefaults } from '../../../domain/realm/realm-changes.js'
import { changedSetting, changeRealmSettings, compareRealms } from '../../../domain/realm/realm-updates.js'
import { ONLY_STORED, type Reader } from '../../../domain/settings/reader.js'
import {
  channelSettings,
  flagSettings,
  type PlainSetting,
  plainSettings,
  type RealmSettings,
  realmGroupSettingNames,
  realmSettingReaders,
  realmSettings,
  timeLimitSettings,
  withLevel,
} from '../../../domain/settings/realm-settings.js'
import { validateUserSettings } from '../../../domain/settings/user-setting-rules.js'
import { setGravatars } from '../../../domain/users/profiles/avatar-changes.js'
import { commitEntries, commitSteps } from '../../../store/log/change.js'
import { loadPartnersOfGuests } from '../../../store/users/user-access.js'
import { endpoint } from '../../call/endpoint.js'
import { declareEach, either, int, json, literal, type Param, str } from '../../call/params.js'
import { settingDefaultParams } from '../users/setting-params.js'

const limit = () =>
  either(z.union([z.string(), z.int()]))
    .optional()
    .describe('a positive number, or `unlimited`')

type PlainParams = { [N in PlainSetting]: Param<RealmSettings[N] | undefined> }

/** Declares the parameter of a plain setting. The type of its schema decides the wire form. */
const declarePlain = (schema: z.ZodType): Param => {
  if (schema instanceof z.ZodEnum) return either(schema)
  return schema instanceof z.ZodString ? literal(schema) : json(schema)
}

const plainParams = Object.fromEntries(
  plainSettings.map((name) => [name, declarePlain(withLevel(name, realmSettings.shape[name] as z.ZodType)).optional()]),
) as unknown as PlainParams

/** An optional parameter with this schema for each setting. */
const declareSettings = <const N extends keyof RealmSettings, S extends z.ZodType>(settings: readonly N[], schema: S) =>
  Object.fromEntries(settings.map((name) => [name, json(withLevel(name, schema)).optional()])) as Record<
    N,
    Param<z.output<S> | undefined>
  >

const allParams = {
  name: str({ min: 1, max: 40 }).optional(),
  description: str({ max: 1000 }).optional(),
  string_id: str({ max: 40 }).optional(),
  ...declareSettings(flagSettings, z.boolean()),
  ...declareEach(timeLimitSettings, limit()),
  message_retention_days: limit(),
  default_language: str().optional(),
  refused_email_domains: str().optional().describe('domains, with commas or spaces between them'),
  authentication_methods: json(z.record(z.string(), z.boolean())).optional(),
  ...declareEach(channelSettings, int().optional().describe('a channel, or -1')),
  jitsi_server_url: str().optional().describe('or `default`'),
  ...plainParams,
  ...declareSettings(realmGroupSettingNames, groupSettingUpdate),
}

const readers: Readonly<Record<string, Reader>> = realmSettingReaders

/** The answer names a parameter if nothing acts on its setting. */
const markStored = ([name, param]: readonly [string, Param]) => {
  if (readers[name] !== 'none') return [name, param]
  const parts = [param.description, ONLY_STORED]
  return [name, param.describe(parts.filter(Boolean).join('; ')).onlyStored(() => true)]
}

const params = Object.fromEntries(Object.entries(allParams).map(markStored)) as typeof allParams

const names = ['name', 'description', ...Object.keys(realmSettings.shape)] as const

export const updateRealm = endpoint({
  method: 'PATCH',
  path: '/realm',
  summary: 'Changes settings of the organization.',
  callers: 'administrator',
  condition: 'Only owners change some of the settings.',
  params,
  example: { name: 'Castellan & Co.', description: 'We make chairs.', topics_policy: 'disable_empty_topic' },
  response: z.object(declareEach(names, changedSetting.optional())),
  errors: [
    errors.notAdministrator,
    errors.notOwner,
    errors.badValue,
    errors.oldValueMismatch,
    errors.systemGroupRequired,
  ],
  changesStructure: true,
  async handle(call) {
    const { state, caller, write } = call
    const ways = openWays(call.app.config, state)
    const { settings, steps } = changeRealmSettings(state, caller.user, call.params, ways)
    if (settings.default_avatar_source !== undefined) {
      steps.push(setGravatars(await loadPartnersOfGuests(write.sql, state)))
    }
    const { entries, after } = runStepsWithConsequences(state, steps)
    // Compared before the commit, because the commit changes `state`.
    const changes = compareRealms(state, after, ways)
    return write.answering(
      () => changes,
      async (keyed) => {
        if (entries.length > 0) await commitEntries(keyed, entries)
      },
    )
  },
})

export const updateSettingDefaults = endpoint({
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  summary: 'Changes the default settings of new accounts.',
  callers: 'administrator',
  params: settingDefaultParams,
  example: { twenty_four_hour_time: true },
  response: z.object({}),
  errors: [errors.notAdministrator],
  changesStructure: true,
  async handle({ params, write }) {
    await commitSteps(write, [setSettingDefaults(validateUserSettings(params))])
    return {}
  },
})
