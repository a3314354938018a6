/**
 * Changes, deactivates and reactivates accounts: by users who administer them, and by the account's own user.
 *
 * Source: protocol/endpoints.md 3.7, protocol/permissions.md 16.
 */
import { z } from 'zod'
import { isAdministrator } from '#rules/roles.js'
import { realmHost } from '../../../config/hosts.js'
import { runStepsWithConsequences } from '../../../domain/groups/consequences.js'
import { BotType, Role, type UserRow } from '../../../domain/log/rows.js'
import type { Step } from '../../../domain/log/steps.js'
import { errors } from '../../../domain/protocol/errors.js'
import { requireUser, setAddress, setFullName, setRole } from '../../../domain/users/accounts/account-changes.js'
import {
  checkAdministers,
  checkNotLast,
  checkOutranks,
  checkRight,
  checkRole,
} from '../../../domain/users/accounts/account-rights.js'
import { composeRoleChangeEntries } from '../../../domain/users/accounts/role-change-visibility.js'
import { canCreateBot, checkBotName } from '../../../domain/users/bots/bots.js'
import { validateFullName, validateNewEmail } from '../../../domain/users/name-and-email-rules.js'
import { setProfileValues } from '../../../domain/users/profiles/profile-values.js'
import type { JobSpec } from '../../../store/jobs/job-table.js'
import { commitEntries } from '../../../store/log/change.js'
import { loadAccount } from '../../../store/users/account-changes.js'
import { commitDeactivation, commitReactivation } from '../../../store/users/account-deactivation.js'
import { composeCredentialMails } from '../../../store/users/credential-mails.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { bool, idInPath, intIn, json, str, textInPath } from '../../call/params.js'
import { countAddressTest } from './address-tests.js'
import { profileValue } from './profile-fields.js'
import { findUserByEmail } from './users.js'

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
  access: 'account',
  params: { user_id: idInPath(), ...updates },
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
  access: 'account',
  params: { email: textInPath(), ...updates },
  response: z.object({}),
  errors: [errors.notOwner, errors.notAdministrator],
  allowances: ['address_tests_by_user'],
  changesStructure: true,
  handle: (call) => updateAccount(call, () => findUserByEmail(call, call.params.email)),
})

/** Changes the account, if the caller may administer it. Throws BAD_REQUEST and RATE_LIMIT_HIT. */
const updateAccount = async (
  call: Call<typeof updates, 'account', undefined, 'address_tests_by_user'>,
  find: () => UserRow | undefined | Promise<UserRow | undefined>,
) => {
  const { app, state, caller, params, write } = call
  const { role, new_email, full_name } = params
  if (new_email !== undefined && isAdministrator(caller.user)) await countAddressTest(call, new_email)
  const user = requireAdministered(caller.user, await find())
  if (role !== undefined) checkRole(state, caller.user, user, role)
  const account = await loadAccount(write, state, user, getHost(call))
  const steps: Step[] = []
  if (role !== undefined) steps.push(setRole(account, role))
  const name = full_name?.trim()
  if (name !== undefined && name !== '' && name !== user.full_name) {
    steps.push(setFullName(account, validateFullName(state, name, user.id)))
  }
  if (new_email !== undefined) {
    if (!isAdministrator(caller.user))
      throw errors.badRequest('Only administrators may change the email addresses of other users.')
    checkRight(caller.user, 'can_change_user_emails')
    checkOutranks(caller.user, user)
    steps.push(setAddress(account, validateNewEmail(state, new_email, user.id)))
  }
  if (params.profile_data !== undefined) {
    const isKnown = await loadAccessCheck(app.store.sql, state, caller.user)
    steps.push(setProfileValues(account, params.profile_data, { user: caller.user, isKnown }))
  }
  await commitSteps(call, steps, { user_id: user.id, partners: account.partners })
  return {}
}

/**
 * Commits the steps, with the entries for a user whose role they change. If they change the API key or the address, the
 * user is mailed; with the key, the account's event queues end. Throws the ApiError of a step, and StaleStateError.
 */
export const commitSteps = async (
  { app, caller, state, realm, write }: Pick<Call, 'app' | 'caller' | 'state' | 'realm' | 'write'>,
  steps: readonly Step[],
  { user_id, partners }: { user_id: number; partners: readonly number[] },
): Promise<void> => {
  const { entries, after } = runStepsWithConsequences(state, steps)
  if (entries.length === 0) return
  const [former, present] = [requireUser(state, user_id), requireUser(after, user_id)]
  const own = composeRoleChangeEntries(state, after, user_id, partners)
  await commitEntries(write, [...entries, ...own], composeCredentialMails(state, caller.user, former, present))
  if (present.key_version !== former.key_version) await app.store.queues.removeAll(realm.id, [user_id])
}

export const deactivateUser = endpoint({
  method: 'DELETE',
  path: '/users/{user_id}',
  summary: 'Deactivates an account and its bots.',
  access: 'account',
  params: {
    user_id: idInPath(),
    deactivation_notification_comment: str({ max: 2000 })
      .optional()
      .describe('mailed to the user; without this parameter no mail is sent'),
    end_credentials: endCredentials(),
  },
  response: z.object({}),
  errors: [errors.notOwner, errors.cannotDeactivateLastUser],
  changesStructure: true,
  async handle(call) {
    const { state, caller } = call
    const found = state.users.get(call.params.user_id)
    // DELETE /bots/{bot_id} deactivates bots.
    if (found === undefined || found.is_bot) throw errors.noSuchUser()
    const user = requireAdministered(caller.user, found)
    if (!user.is_active) throw errors.badRequest('This user is deactivated.')
    checkOutranks(caller.user, user)
    checkNotLast(state, user)
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
  access: 'account',
  params: { end_credentials: endCredentials() },
  response: z.object({}),
  errors: [errors.cannotDeactivateLastUser],
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
  access: 'account',
  params: { user_id: idInPath(), end_credentials: endCredentials() },
  response: z.object({}),
  errors: [errors.notOwner],
  changesStructure: true,
  async handle(call) {
    const { state, caller, write } = call
    const user = requireAdministered(caller.user, state.users.get(call.params.user_id))
    checkOutranks(caller.user, user)
    if (user.is_active) return {}
    if (user.is_bot) {
      if (!canCreateBot(state, caller.user, user.bot_type ?? BotType.generic)) throw errors.insufficientPermission()
      checkBotName(state, user.full_name, user.id)
    }
    const owner = user.bot_owner_id === null ? undefined : state.users.get(user.bot_owner_id)
    const bot_owner_id = user.is_bot && owner?.is_active !== true ? caller.id : user.bot_owner_id
    const endsCredentials = call.params.end_credentials
    await commitReactivation(write, getHost(call), user, { bot_owner_id, endsCredentials, actor: caller.user })
    return {}
  },
})

/** The account, if it exists and the caller may administer it. Throws BAD_REQUEST and UNAUTHORIZED_PRINCIPAL. */
const requireAdministered = (caller: UserRow, found: UserRow | undefined): UserRow => {
  if (found === undefined || found.is_system_bot) throw errors.noSuchUser()
  checkAdministers(caller, found)
  return found
}

const getHost = ({ app, state }: Pick<Call, 'app' | 'state'>): string => realmHost(state.realm.string_id, app.config)
