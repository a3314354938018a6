/**
 * A request that changes settings of an organization: who may set which, and the values as they are stored.
 *
 * Source: protocol/endpoints.md 4, protocol/permissions.md 4.3 and 4.4.
 */
import { z } from 'zod'
import { isOwner } from '#rules/roles.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import type { GroupSettingUpdate } from '../permissions/group-setting-rules.js'
import { errors } from '../protocol/errors.js'
import { groupSettingValue } from '../settings/group-setting-values.js'
import {
  channelSettings,
  flagSettings,
  ownersSettings,
  type PlainSetting,
  plainSettings,
  type RealmGroupSetting,
  type RealmSettings,
  realmGroupSettingNames,
  timeLimitSettings,
} from '../settings/realm-settings.js'
import { authenticationMethod, authenticationMethods, type OtherWays, validateMethods } from './authentication.js'
import { setRealmGroup, setRealmSettings, setRealmText } from './realm-changes.js'
import { validateRefusedDomains } from './realm-domains.js'
import {
  checkGifRating,
  checkVideoChatProvider,
  parseLimit,
  validateChannelSetting,
  validateJitsiUrl,
  validateLanguage,
} from './realm-rules.js'

type LimitSetting = (typeof timeLimitSettings)[number] | 'message_retention_days'

/** The settings of a request; an absent one does not change. */
export interface RequestedSettings
  extends Partial<Pick<RealmSettings, (typeof flagSettings)[number] | PlainSetting>>,
    Partial<Record<(typeof channelSettings)[number], number>>,
    Partial<Record<LimitSetting, string | number>>,
    Partial<Record<RealmGroupSetting, GroupSettingUpdate>> {
  name?: string
  description?: string
  string_id?: string
  default_language?: string
  refused_email_domains?: string
  authentication_methods?: Record<string, boolean>
  jitsi_server_url?: string
}

/**
 * The steps that change the requested settings, and these settings as stored.
 * Throws UNAUTHORIZED_PRINCIPAL, and the refusals of protocol/endpoints.md 4.
 * @param ways decides the login methods (authentication.ts)
 */
export const changeRealmSettings = (
  state: RealmState,
  user: UserRow,
  requested: RequestedSettings,
  ways: OtherWays,
): { settings: Partial<RealmSettings>; steps: Step[] } => {
  if (!isOwner(user) && ownersSettings.some((name) => requested[name] !== undefined)) throw errors.notOwner()
  const settings = validateRealmSettings(state, user, requested, ways)
  const steps: Step[] = []
  for (const property of ['name', 'description'] as const) {
    const value = requested[property]
    if (value !== undefined) steps.push(setRealmText(property, value))
  }
  steps.push(setRealmSettings(settings, ways))
  for (const name of realmGroupSettingNames) {
    const update = requested[name]
    if (update !== undefined) steps.push(setRealmGroup(name, update))
  }
  return { settings, steps }
}

/** The requested settings as they are stored. Throws the refusals of protocol/endpoints.md 4. */
const validateRealmSettings = (
  state: RealmState,
  user: UserRow,
  requested: RequestedSettings,
  ways: OtherWays,
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
    settings.authentication_methods = validateMethods(state.settings, ways, requested.authentication_methods)
  }
  if (requested.video_chat_provider !== undefined) checkVideoChatProvider(requested.video_chat_provider)
  if (requested.giphy_rating !== undefined) checkGifRating(requested.giphy_rating)
  const { message_retention_days: days, default_language, jitsi_server_url, refused_email_domains } = requested
  if (days !== undefined) settings.message_retention_days = parseLimit('message_retention_days', days) ?? -1
  if (default_language !== undefined) settings.default_language = validateLanguage(default_language)
  if (refused_email_domains !== undefined) {
    settings.refused_email_domains = validateRefusedDomains(refused_email_domains)
  }
  if (jitsi_server_url !== undefined) settings.jitsi_server_url = validateJitsiUrl(jitsi_server_url)
  return { ...settings, ...pickDefined(requested, plainSettings) }
}

/** The properties of these names that are not undefined. */
const pickDefined = <T extends object, N extends keyof T>(object: T, names: readonly N[]): Partial<Pick<T, N>> =>
  Object.fromEntries(names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]])) as Partial<
    Pick<T, N>
  >

/** The new value of a changed setting; for a text only `updated`. */
export const changedSetting = z.union([
  z.literal('updated'),
  z.boolean(),
  z.int(),
  z.null(),
  groupSettingValue,
  z.record(z.string(), z.union([z.boolean(), authenticationMethod])),
])

/** The settings that differ between two states, with their new values. */
export const compareRealms = (
  before: RealmState,
  after: RealmState,
  ways: OtherWays,
): Record<string, z.infer<typeof changedSetting>> => {
  const changes: Record<string, z.infer<typeof changedSetting>> = {}
  const addIfChanged = (name: string, before: unknown, after: unknown) => {
    if (JSON.stringify(before) === JSON.stringify(after)) return
    changes[name] = typeof after === 'string' ? 'updated' : (after as z.infer<typeof changedSetting>)
  }
  for (const name of ['name', 'description'] as const) addIfChanged(name, before.realm[name], after.realm[name])
  for (const name of Object.keys(after.settings) as (keyof RealmSettings)[]) {
    addIfChanged(name, before.settings[name], after.settings[name])
  }
  if (changes.authentication_methods !== undefined) {
    changes.authentication_methods = authenticationMethods(after.settings, ways)
  }
  return changes
}
