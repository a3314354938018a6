/**
 * Changes the organization's settings, and the default settings of new accounts.
 *
 * Source: protocol/endpoints.md 4 and 3.11; protocol/permissions.md 4.3 and 4.4.
 */
import { z } from 'zod'
import { isOwner } from '#rules/roles.js'
import { runStepsWithConsequences } from '../../../domain/groups/consequences.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { runSteps, type Step } from '../../../domain/log/steps.js'
import { groupSettingUpdate } from '../../../domain/permissions/group-setting-rules.js'
import { errors } from '../../../domain/protocol/errors.js'
import { authenticationMethod, authenticationMethods, validateMethods } from '../../../domain/realm/authentication.js'
import {
  setRealmGroup,
  setRealmSettings,
  setRealmText,
  setSettingDefaults,
} from '../../../domain/realm/realm-changes.js'
import {
  checkGifRating,
  checkVideoChatProvider,
  parseLimit,
  validateChannelSetting,
  validateJitsiUrl,
  validateLanguage,
} from '../../../domain/realm/realm-rules.js'
import { groupSettingValue } from '../../../domain/settings/group-setting-values.js'
import {
  channelSettings,
  flagSettings,
  ownersSettings,
  type PlainSetting,
  plainSettings,
  type RealmSettings,
  realmGroupSettingNames,
  realmSettings,
  timeLimitSettings,
  withLevel,
} from '../../../domain/settings/realm-settings.js'
import { validateUserSettings } from '../../../domain/settings/user-setting-rules.js'
import { setGravatars } from '../../../domain/users/profiles/avatar-changes.js'
import { commitEntries } from '../../../store/log/change.js'
import { loadPartnersOfGuests } from '../../../store/users/user-access.js'
import { endpoint } from '../../call/endpoint.js'
import { declareEach, either, int, json, literal, type Param, type ParamValues, str } from '../../call/params.js'
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

const params = {
  name: str({ min: 1, max: 40 }).optional(),
  description: str({ max: 1000 }).optional(),
  string_id: str({ max: 40 }).optional(),
  ...declareSettings(flagSettings, z.boolean()),
  ...declareEach(timeLimitSettings, limit()),
  message_retention_days: limit(),
  default_language: str().optional(),
  authentication_methods: json(z.record(z.string(), z.boolean())).optional(),
  ...declareEach(channelSettings, int().optional().describe('a channel, or -1')),
  jitsi_server_url: str().optional().describe('or `default`'),
  ...plainParams,
  ...declareSettings(realmGroupSettingNames, groupSettingUpdate),
}

type RequestedSettings = ParamValues<typeof params>

/** The new value of a changed setting; for a text only `updated`. */
export const changedSetting = z.union([
  z.literal('updated'),
  z.boolean(),
  z.int(),
  z.null(),
  groupSettingValue,
  z.record(z.string(), z.union([z.boolean(), authenticationMethod])),
])

const names = ['name', 'description', ...Object.keys(realmSettings.shape)] as const

export const updateRealm = endpoint({
  method: 'PATCH',
  path: '/realm',
  summary: 'Changes settings of the organization.',
  access: 'administrator',
  params,
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
    if (!isOwner(caller.user) && ownersSettings.some((name) => call.params[name] !== undefined)) throw errors.notOwner()
    const trustsSite = call.app.config.JWT_KEYS.has(state.realm.string_id)
    const settings = validateSettings(state, caller.user, call.params, trustsSite)
    const steps: Step[] = []
    for (const property of ['name', 'description'] as const) {
      const value = call.params[property]
      if (value !== undefined) steps.push(setRealmText(property, value))
    }
    steps.push(setRealmSettings(settings, trustsSite))
    for (const name of realmGroupSettingNames) {
      const update = call.params[name]
      if (update !== undefined) steps.push(setRealmGroup(name, update))
    }
    if (settings.default_avatar_source !== undefined) {
      steps.push(setGravatars(await loadPartnersOfGuests(write.sql, state)))
    }
    const { entries, after } = runStepsWithConsequences(state, steps)
    // Compared before the commit, because the commit changes `state`.
    const changes = compareStates(state, after)
    if (changes.authentication_methods !== undefined) {
      changes.authentication_methods = authenticationMethods(after.settings, trustsSite)
    }
    if (entries.length > 0) await commitEntries(write, entries)
    return changes
  },
})

/** The requested settings as they are stored. Throws the refusals of protocol/endpoints.md 4. */
const validateSettings = (
  state: RealmState,
  user: UserRow,
  requested: RequestedSettings,
  trustsSite: boolean,
): Partial<RealmSettings> => {
  const settings: Partial<RealmSettings> = {}
  for (const name of flagSettings) if (requested[name] !== undefined) settings[name] = requested[name]
  for (const name of timeLimitSettings) {
    const value = requested[name]
    if (value !== undefined) settings[name] = parseLimit(name, value)
  }
  for (const name of channelSettings) {
    const id = requested[name]
    if (id !== undefined) settings[name] = validateChannelSetting(state, user, name, id)
  }
  if (requested.string_id !== undefined) throw errors.badRequest('The address of this organization cannot be changed.')
  if (requested.authentication_methods !== undefined) {
    settings.authentication_methods = validateMethods(state.settings, trustsSite, requested.authentication_methods)
  }
  if (requested.video_chat_provider !== undefined) checkVideoChatProvider(requested.video_chat_provider)
  if (requested.giphy_rating !== undefined) checkGifRating(requested.giphy_rating)
  const { message_retention_days: days, default_language, jitsi_server_url } = requested
  if (days !== undefined) settings.message_retention_days = parseLimit('message_retention_days', days) ?? -1
  if (default_language !== undefined) settings.default_language = validateLanguage(default_language)
  if (jitsi_server_url !== undefined) settings.jitsi_server_url = validateJitsiUrl(jitsi_server_url)
  return { ...settings, ...pickDefined(requested, plainSettings) }
}

/** The properties of these names that are not undefined. */
const pickDefined = <T extends object, N extends keyof T>(object: T, names: readonly N[]): Partial<Pick<T, N>> =>
  Object.fromEntries(names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]])) as Partial<
    Pick<T, N>
  >

/** The settings that differ between two states, with their new values. */
const compareStates = (before: RealmState, after: RealmState): Record<string, z.infer<typeof changedSetting>> => {
  const changes: Record<string, z.infer<typeof changedSetting>> = {}
  const addIfChanged = (name: string, before: unknown, after: unknown) => {
    if (JSON.stringify(before) === JSON.stringify(after)) return
    changes[name] = typeof after === 'string' ? 'updated' : (after as z.infer<typeof changedSetting>)
  }
  for (const name of ['name', 'description'] as const) addIfChanged(name, before.realm[name], after.realm[name])
  for (const name of Object.keys(after.settings) as (keyof RealmSettings)[]) {
    addIfChanged(name, before.settings[name], after.settings[name])
  }
  return changes
}

export const updateSettingDefaults = endpoint({
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  summary: 'Changes the default settings of new accounts.',
  access: 'administrator',
  params: settingDefaultParams,
  response: z.object({}),
  errors: [errors.notAdministrator],
  changesStructure: true,
  async handle({ state, params, write }) {
    const { entries } = runSteps(state, [setSettingDefaults(validateUserSettings(params))])
    if (entries.length > 0) await commitEntries(write, entries)
    return {}
  },
})
