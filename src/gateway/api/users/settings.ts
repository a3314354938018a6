/**
 * Changes the caller's own settings: name, password, address, and the settings of domain/settings/user-settings.ts.
 * A new address is only requested here; the user must confirm it by a mailed link (confirm-email.ts).
 * Source: the API document, endpoint 4; protocol/endpoints.md 1.4.
 */

import { z } from 'zod'
import { realmHost, realmUrl } from '../../../config/hosts.js'
import { msg } from '../../../domain/languages/texts.js'
import { runSteps } from '../../../domain/log/steps.js'
import { errors } from '../../../domain/protocol/errors.js'
import { isTimeZone } from '../../../domain/settings/languages.js'
import { validateUserSettings } from '../../../domain/settings/user-setting-rules.js'
import { requireUser } from '../../../domain/users/accounts/account-changes.js'
import { changeOwnAccount, validateRequestedOwnEmail } from '../../../domain/users/accounts/own-account.js'
import { presenceToHide } from '../../../domain/users/presence/presence.js'
import { loadAccount } from '../../../store/users/account-changes.js'
import { commitOwnAccount } from '../../../store/users/own-account.js'
import { comparePassword, hashPassword, isWeakPassword } from '../../../store/users/passwords.js'
import { announcePresence } from '../../../store/users/presence-events.js'
import { consumeAllowances } from '../../call/allowances.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { either, str } from '../../call/params.js'
import { countPasswordAttempt } from '../accounts/password-attempts.js'
import { settingParams } from './setting-params.js'

const timeZone = z.string().refine(isTimeZone, msg('{name} must be a time zone.'))

export const updateSettings = endpoint({
  method: 'PATCH',
  path: ['/settings', '/settings/display', '/settings/notifications'],
  summary: "Changes the caller's own settings.",
  callers: 'human',
  keyScope: 'none',
  condition: 'The organization can reserve changes of names and addresses for administrators.',
  params: {
    full_name: str().optional(),
    email: str().default('').describe('the user must confirm it by mail'),
    old_password: str().default(''),
    new_password: str()
      .default('')
      .describe('requires old_password; the API key changes too, and the new one is at POST /fetch_api_key'),
    ...settingParams,
    timezone: either(timeZone).optional().describe('of the IANA data, like `Europe/Berlin`'),
  },
  example: { twenty_four_hour_time: true, color_scheme: 2, allow_private_data_export: true },
  response: z.object({}),
  errors: [errors.rateLimitHit],
  allowances: ['email_change_by_user'],
  changesStructure: true,
  async prepare(call) {
    const { full_name: _, email: __, old_password, new_password, timezone: ___, ...given } = call.params
    const settings = validateUserSettings(given)
    const password_hash = new_password === '' ? undefined : await hashNewPassword(call, old_password, new_password)
    return { settings, password_hash }
  },
  async handle(call) {
    const { app, state, caller, params, write, prepared } = call
    const { full_name, email, timezone } = params
    const { settings, password_hash } = prepared
    const newEmail = validateRequestedOwnEmail(state, caller.user, email)
    const account = await loadAccount(write, state, caller.user, realmHost(state.realm.string_id, app.config))
    const changes = { full_name, timezone, settings, hasNewPassword: password_hash !== undefined }
    const { entries, after } = runSteps(state, changeOwnAccount(state, caller.user, account, changes))
    const present = requireUser(after, caller.id)
    if (entries.length === 0 && newEmail === undefined) return {}
    const key = `${call.realm.id}:${caller.id}`
    const spent = newEmail === undefined ? undefined : await consumeAllowances(call, { email_change_by_user: key })
    const realm_url = realmUrl(state.realm.string_id, app.config)
    const hidden = presenceToHide(caller.user, settings.presence_enabled)
    await commitOwnAccount(write, { entries, present, settings, hidden, newEmail, password_hash, realm_url })
    spent?.keep()
    if (hidden !== undefined) await announcePresence(app.store, call.realm, present, hidden, Date.now() / 1000)
    if (password_hash !== undefined) await app.store.queues.removeAll(call.realm.id, [caller.id])
    return {}
  },
})

/**
 * The hash of the new password. Throws BAD_REQUEST: too many attempts, the old password is wrong, the new one is weak.
 * The error is final, because a call that runs again would count the attempt twice.
 */
const hashNewPassword = async (
  { app, realm, caller: { user }, request }: Pick<Call, 'app' | 'realm' | 'caller' | 'request'>,
  old_password: string,
  new_password: string,
) => {
  const { retry_after, succeed } = await countPasswordAttempt(app, realm.id, user.id, request)
  if (retry_after !== undefined) {
    const seconds = Math.ceil(retry_after)
    throw errors.badRequest('Too many attempts: try again in {seconds} seconds.', { seconds }).asFinal()
  }
  if ((await comparePassword(app.store.sql, realm.id, user.id, old_password)) !== 'right') {
    throw errors.badRequest('The old password is wrong.').asFinal()
  }
  await succeed()
  if (await isWeakPassword(new_password, [user.delivery_email, user.full_name])) {
    throw errors.badRequest('The new password is too easy to guess: choose a longer one.').asFinal()
  }
  return hashPassword(new_password)
}
