/** The step that gives the settings of an organization their former values, as a request would. */
import { isAdministrator } from '#rules/roles.js'
import { listChangedValues } from '../audit/columns.js'
import type { RowChange } from '../log/row-changes.js'
import type { UserRow } from '../log/rows.js'
import { runSteps, type Step } from '../log/steps.js'
import { errors } from '../protocol/errors.js'
import { authenticationMethods, type OtherWays } from '../realm/authentication.js'
import { setSettingDefaults } from '../realm/realm-changes.js'
import { changeRealmSettings, type RequestedSettings } from '../realm/realm-updates.js'
import { isRealmGroupSetting, timeLimitSettings } from '../settings/realm-settings.js'
import { setGravatars } from '../users/profiles/avatar-changes.js'

/**
 * The step that takes back a change of the organization. Throws UNAUTHORIZED_PRINCIPAL, and the refusals of a request
 * that sets these values.
 * @param partners the partners of guests, who see other pictures when `default_avatar_source` changes
 */
export const undoSettings =
  (
    user: UserRow,
    change: RowChange<'realms'>,
    ways: OtherWays,
    partners: ReadonlyMap<number, readonly number[]>,
  ): Step =>
  (state) => {
    if (!isAdministrator(user)) throw errors.notAdministrator()
    const requested: Record<string, unknown> = {}
    const defaults: Record<string, unknown> = {}
    for (const { column, before } of listChangedValues(change as RowChange)) {
      const [table = '', name] = column.split('.')
      if (name === undefined) requested[table] = before
      else if (table === 'user_settings_defaults') defaults[name] = before
      else if (name === 'authentication_methods') {
        const off = before as Readonly<Record<string, boolean>>
        const known = Object.keys(authenticationMethods(state.settings, ways))
        requested[name] = Object.fromEntries(known.map((method) => [method, off[method] !== false]))
      } else requested[name] = toParameter(name, before)
    }
    const { steps } = changeRealmSettings(state, user, requested as RequestedSettings, ways)
    if (requested.default_avatar_source !== undefined) steps.push(setGravatars(partners))
    if (Object.keys(defaults).length > 0) steps.push(setSettingDefaults(defaults))
    return runSteps(state, steps).entries
  }

/** A stored value in the form in which clients send it. */
const toParameter = (name: string, value: unknown): unknown => {
  if (isRealmGroupSetting(name)) return { new: value }
  if (name === 'jitsi_server_url') return value ?? 'default'
  const isLimit = name === 'message_retention_days' || timeLimitSettings.some((one) => one === name)
  return isLimit && (value === null || value === -1) ? 'unlimited' : value
}
