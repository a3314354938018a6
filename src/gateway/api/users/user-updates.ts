/**
 * Changes, deactivates and reactivates accounts: by users who administer them, and by the account's own user.
 *
 * Source: protocol/endpoints.md 3.7, protocol/permissions.md 16.
 */
import { z } from 'zod'
import { isAdministrator } from '#rules/roles.js'
import { realmHost } from '../../../config/hosts.js'
import { Role, type UserRow } from '../../../domain/log/rows.js'
import { errors } from '../../../domain/protocol/errors.js'
import {
  checkNotLast,
  checkOutranks,
  requireAdministered,
  requireDeactivatable,
} from '../../../domain/users/accounts/account-rights.js'
import {
  changeAccount,
  checkReactivation,
  ownerAfterReactivation,
} from '../../../domain/users/accounts/account-updates.js'
import { setProfileValues } from '../../../domain/users/profiles/profile-values.js'
import type { JobSpec } from '../../../store/jobs/job-table.js'
import { commitAccountSteps, loadAccount } from '../../../store/users/account-changes.js'
import { commitDeactivation, commitReactivation } from '../../../store/users/account-deactivation.js'
import { findUserByEmail, loadAccessCheck } from '../../../store/users/user-access.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { bool, idInPath, intIn, json, str, textInPath } from '../../call/params.js'
import { countAddressTest } from './address-tests.js'
import { profileValue } from './profile-fields.js'

/**
 * Declares the parameter that ends the credentials of an account. The endpoints that deactivate and reactivate an
 * account have this parameter.
 */
export const endCredentials = () =>
  bool()
    .default(false)
    .describe(
      'true ends the API key, the links that were mailed, and the password: a reactivated account needs new ones',
    )

/** The parameter for the role of an account. */
export const roleParam = () => intIn(...Object.values(Role))

const updates = {
  full_name: str().optional(),
  role: roleParam().optional(),
  new_email: str().optional(),
  profile_data: json(z.array(profileValue)).optional(),
}

export const updateUser = endpoint({
  method: 'PATCH',
  path: '/users/{user_id}',
  summary: 'Changes an account.',
  callers: 'account',
  condition: 'Administrators change every account, and users their bots. Only owners change the role of an owner.',
  params: { user_id: idInPath(), ...updates },
  example: { full_name: 'Noor Duarte', role: 300 },
  response: z.object({}),
  errors: [errors.notOwner, errors.notAdministrator],
  allowances: ['address_tests_by_user'],
  changesStructure: true,
  handle: (call) => updateAccount(call, () => call.state.users.get(call.params.user_id)),
})

export const updateUserByEmail = endpoint({
  method: 'PATCH',
  path: '/users/{email}',
  summary: 'Changes an account, by its API address, or by the real one if the caller may see it.',
  callers: 'account',
  condition: 'Administrators change every account, and users their bots. Only owners change the role of an owner.',
  params: { email: textInPath(), ...updates },
  example: { full_name: 'Ravi D.' },
  response: z.object({}),
  errors: [errors.notOwner, errors.notAdministrator],
  allowances: ['address_tests_by_user'],
  changesStructure: true,
  handle(call) {
    const { app, state, caller, params } = call
    const find = () => findUserByEmail(app.store.sql, state, caller.user, params.email, getHost(call))
    return updateAccount(call, find)
  },
})

/** Changes the account, if the caller may administer it. Throws BAD_REQUEST and RATE_LIMIT_HIT. */
const updateAccount = async (
  call: Call<typeof updates, 'account', undefined, 'address_tests_by_user'>,
  find: () => UserRow | undefined | Promise<UserRow | undefined>,
) => {
  const { app, state, caller, params, write } = call
  const { new_email } = params
  if (new_email !== undefined && isAdministrator(caller.user)) await countAddressTest(call, new_email)
  const user = requireAdministered(caller.user, await find())
  const account = await loadAccount(write, state, user, getHost(call))
  const steps = changeAccount(state, caller.user, user, account, params)
  if (params.profile_data !== undefined) {
    const isKnown = await loadAccessCheck(app.store.sql, state, caller.user)
    steps.push(setProfileValues(account, params.profile_data, { user: caller.user, isKnown }))
  }
  await commitAccountSteps(write, app.store.queues, caller.user, steps, account)
  return {}
}

export const deactivateUser = endpoint({
  method: 'DELETE',
  path: '/users/{user_id}',
  summary: 'Deactivates an account and its bots.',
  callers: 'account',
  condition: 'The caller is an administrator, or owns the bot. Only owners do this to an owner.',
  params: {
    user_id: idInPath(),
    deactivation_notification_comment: str({ max: 2000 })
      .optional()
      .describe('mailed to the user; without this parameter no mail is sent'),
    end_credentials: endCredentials(),
  },
  response: z.object({}),
  errors: [errors.notOwner, errors.cannotDeactivateLastOwner, errors.cannotDeactivateLastUser],
  changesStructure: true,
  async handle(call) {
    const { state, caller } = call
    const user = requireDeactivatable(state, caller.user, call.params.user_id)
    const comment = call.params.deactivation_notification_comment
    const mail = {
      kind: 'deactivation_mail',
      payload: { user_id: user.id, actor_id: caller.id, comment: comment ?? '' },
    }
    return deactivate(call, user, {
      jobs: comment === undefined ? [] : [mail as JobSpec],
      endsCredentials: call.params.end_credentials,
    })
  },
})

export const deactivateOwnUser = endpoint({
  method: 'DELETE',
  path: '/users/me',
  summary: "Deactivates the caller's own account and its bots.",
  callers: 'account',
  keyScope: 'none',
  params: { end_credentials: endCredentials() },
  response: z.object({}),
  errors: [errors.cannotDeactivateLastOwner, errors.cannotDeactivateLastUser],
  changesStructure: true,
  async handle(call) {
    checkNotLast(call.state, call.caller.user)
    return deactivate(call, call.caller.user, { endsCredentials: call.params.end_credentials })
  },
})

/** Deactivates an account. */
export const deactivate = async (
  call: Pick<Call, 'app' | 'state' | 'write'>,
  user: UserRow,
  options: Parameters<typeof commitDeactivation>[4],
) => {
  await commitDeactivation(call.write, call.app.store.queues, getHost(call), user, options)
  return {}
}

export const reactivateUser = endpoint({
  method: 'POST',
  path: '/users/{user_id}/reactivate',
  summary: 'Reactivates a deactivated account or bot.',
  callers: 'account',
  condition: 'The caller is an administrator, or owns the bot. Only owners do this to an owner.',
  params: { user_id: idInPath(), end_credentials: endCredentials() },
  example: { user_id: '{deactivated_user_id}' },
  response: z.object({}),
  errors: [errors.notOwner],
  changesStructure: true,
  async handle(call) {
    const { state, caller, write } = call
    const user = requireAdministered(caller.user, state.users.get(call.params.user_id))
    checkOutranks(caller.user, user)
    if (user.is_active) return {}
    checkReactivation(state, caller.user, user)
    const bot_owner_id = ownerAfterReactivation(state, caller.user, user)
    const endsCredentials = call.params.end_credentials
    await commitReactivation(write, getHost(call), user, { bot_owner_id, endsCredentials, actor: caller.user })
    return {}
  },
})

const getHost = ({ app, state }: Pick<Call, 'app' | 'state'>): string => realmHost(state.realm.string_id, app.config)
