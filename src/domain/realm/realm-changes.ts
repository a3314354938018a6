/**
 * Changes of an organization's settings: their rows and entries.
 *
 * A change is sent as `realm/update`, or as `realm/update_dict` where clients know only that
 * (settings/realm-settings.ts).
 * Source: protocol/events.md 3.5, protocol/endpoints.md 4.
 */

import { realmGroupRules } from '#rules/group-settings.js'
import { secondsNow } from '#rules/time.js'
import { attachRowChanges, type NewEntry } from '../log/entry.js'
import { composeUpdate } from '../log/row-changes.js'
import type { RealmRow } from '../log/rows.js'
import { composeSilentEntry } from '../log/silent-entry.js'
import type { Step } from '../log/steps.js'
import { type GroupSettingUpdate, updatedValue } from '../permissions/group-setting-rules.js'
import {
  isSentInDict,
  omitDefaultRealmSettings,
  type RealmGroupSetting,
  type RealmSettings,
} from '../settings/realm-settings.js'
import { defaultUserSettings, omitDefaultUserSettings, type UserSettings } from '../settings/user-settings.js'
import { authenticationMethods, noOtherWays, type OtherWays } from './authentication.js'
import { type RealmValue, realmDeactivated, realmUpdated, realmUpdatedTogether } from './realm-entries.js'
import { settingDefaultUpdated } from './setting-default-entries.js'
import type { SettingValue } from './setting-values.js'
import { composePromotionTimeChange } from './waiting-period.js'

/** Sets the organization's name or description. */
export const setRealmText =
  (property: 'name' | 'description', value: string): Step =>
  ({ realm }) => {
    const row = composeUpdate('realms', realm, { [property]: value } as Partial<RealmRow>)
    return row === undefined ? [] : [realmUpdated({ property, value }, [row])]
  }

/** Deactivates the organization: its accounts cannot make calls any more. */
export const deactivateRealm: Step = ({ realm }) => {
  const row = composeUpdate('realms', realm, { is_active: false })
  return [realmDeactivated({ realm_id: realm.id }, row === undefined ? [] : [row])]
}

/** What the operator permits the organization to have; null: no limit. */
export type RealmQuotas = Pick<RealmRow, 'upload_quota_mib' | 'user_quota' | 'message_quota' | 'call_quota'>

/** Sets quotas. Clients know that of uploads only. */
export const setQuotas =
  (quotas: Partial<RealmQuotas>): Step =>
  ({ realm }) => {
    const row = composeUpdate('realms', realm, quotas)
    if (row === undefined) return []
    const { upload_quota_mib } = quotas
    return upload_quota_mib === undefined || upload_quota_mib === realm.upload_quota_mib
      ? [composeSilentEntry([row])]
      : [realmUpdatedTogether({ data: { upload_quota_mib } }, [row])]
  }

/**
 * Sets settings. A setting that has the value already sends no event.
 * @param ways decides the login methods in the event (authentication.ts)
 */
export const setRealmSettings =
  (input: Partial<RealmSettings>, ways: OtherWays = noOtherWays): Step =>
  (state) => {
    const { realm, settings: previous } = state
    const settings = { ...previous, ...input }
    const row = composeUpdate('realms', realm, { settings: omitDefaultRealmSettings(settings) })
    const names = (Object.keys(input) as (keyof RealmSettings)[]).filter(
      (name) => JSON.stringify(input[name]) !== JSON.stringify(previous[name]),
    )
    if (row === undefined || names.length === 0) return []
    // The same change sends the events about full members under the new waiting period (groups/consequences.ts).
    const counter = names.includes('waiting_period_threshold')
      ? composePromotionTimeChange(state, secondsNow())
      : undefined
    const rows = counter === undefined ? [row] : [row, counter]
    return attachRowChanges(
      rows,
      names.map((name) => settingEntry(name, settings, ways)),
    )
  }

/**
 * Sets who holds a permission of the organization. Throws EXPECTATION_MISMATCH and what validateGroupSetting throws.
 */
export const setRealmGroup =
  (setting: RealmGroupSetting, update: GroupSettingUpdate): Step =>
  (state) => {
    const value = updatedValue(state, setting, realmGroupRules[setting], state.settings[setting], update)
    return value === undefined ? [] : setRealmSettings({ [setting]: value })(state)
  }

const settingEntry = (property: keyof RealmSettings, settings: RealmSettings, ways: OtherWays): NewEntry => {
  if (property === 'authentication_methods') {
    return realmUpdatedTogether({ data: { authentication_methods: authenticationMethods(settings, ways) } })
  }
  const value = settings[property] as RealmValue
  if (property === 'topics_policy') {
    // Older clients know it under this name.
    const mandatory_topics = value === 'disable_empty_topic'
    return realmUpdatedTogether({ data: { topics_policy: value, mandatory_topics } })
  }
  if (isSentInDict(property)) return realmUpdatedTogether({ data: { [property]: value } })
  return realmUpdated({ property, value })
}

/** Sets defaults of personal settings in new accounts. */
export const setSettingDefaults =
  (input: Partial<UserSettings>): Step =>
  ({ realm }) => {
    const previous: UserSettings = { ...defaultUserSettings, ...realm.user_settings_defaults }
    const names = (Object.keys(input) as (keyof UserSettings)[]).filter((name) => input[name] !== previous[name])
    const row = composeUpdate('realms', realm, {
      user_settings_defaults: omitDefaultUserSettings({ ...previous, ...input }),
    })
    if (row === undefined) return []
    return attachRowChanges(
      [row],
      names.map((property) => settingDefaultUpdated({ property, value: input[property] as SettingValue })),
    )
  }
