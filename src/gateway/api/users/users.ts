/**
 * Accounts: listing and creating them. Source: the API document, endpoint 21; protocol/endpoints.md 1.21 and 3.7.
 */
import { z } from 'zod'
import { realmHost, realmUrl } from '../../../config/hosts.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { errors } from '../../../domain/protocol/errors.js'
import {
  memberFragments,
  rawArray,
  rawMembersOfFragments,
  rawObject,
  rawText,
} from '../../../domain/protocol/raw-json.js'
import { checkRight } from '../../../domain/users/accounts/account-rights.js'
import { checkAddressIsFree, validateEmail, validateFullName } from '../../../domain/users/name-and-email-rules.js'
import { composeListForUser } from '../../../domain/users/shared-user-lists.js'
import { isRestrictedGuest } from '../../../domain/users/user-access.js'
import { listUsers } from '../../../domain/users/user-lists.js'
import {
  avatarUrl,
  canSeeAddress,
  composeUser,
  composeUserForSpectator,
  spectatedUser,
  type UserView,
  unknownUser,
  userJson,
  userObject,
} from '../../../domain/users/users.js'
import { entriesChange } from '../../../store/log/change.js'
import { loadContent } from '../../../store/register/registration-content.js'
import { hashPassword, isWeakPassword } from '../../../store/users/passwords.js'
import { findUserByEmail, loadAccessCheck } from '../../../store/users/user-access.js'
import { composeWelcomeJobs, createUsers } from '../../../store/users/users.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { bool, idInPath, json, str, textInPath } from '../../call/params.js'
import { isLargeRealm } from '../../fairness/heavy-calls.js'
import { countAddressTest } from './address-tests.js'

const viewParams = {
  client_gravatar: bool().default(true).describe('omits the URL of avatars that the client can compute'),
  include_custom_profile_fields: bool().default(false),
}

export const getUsers = endpoint({
  method: 'GET',
  path: '/users',
  summary: 'Lists accounts, deactivated ones and bots included.',
  callers: 'spectator',
  params: { ...viewParams, user_ids: json(z.array(z.int())).optional().describe('default: all accounts') },
  response: z.object({ members: z.array(z.union([userObject, spectatedUser])) }),
  isHeavy: (_, state) => isLargeRealm(state),
  async handle(call) {
    const { caller, state, params } = call
    const host = realmHost(state.realm.string_id, call.app.config)
    const { user_ids } = params
    if (caller === undefined) {
      return { members: selectUsers(state, user_ids).map((user) => composeUserForSpectator(user, host)) }
    }
    const view = { client_gravatar: params.client_gravatar, profile_data: params.include_custom_profile_fields }
    if (user_ids === undefined && !isRestrictedGuest(state, caller.user)) {
      const all = { state, name: 'own', rows: listUsers(state).own }
      const list = composeListForUser(all, caller.user, { ...view, listed: false })
      return rawMembersOfFragments([memberFragments('members', list)])
    }
    const isKnown = await loadAccessCheck(call.app.store.sql, state, caller.user)
    const members = selectUsers(state, user_ids).flatMap((user) => {
      if (isKnown(user)) return [userJson(user, composeView(caller.user, user, view), false)]
      return user_ids === undefined ? [JSON.stringify(unknownUser(user.id, host))] : []
    })
    return rawObject({ members: rawArray(members) })
  },
})

export const getOwnUser = endpoint({
  method: 'GET',
  path: '/users/me',
  summary: "Gets the caller's own account.",
  callers: 'account',
  params: {},
  response: userObject.extend({ avatar_url: z.string(), max_message_id: z.int() }),
  async handle({ app, caller: { user }, realm }) {
    const { content } = await loadContent(app.store.sql, realm.id, user.id, ['last_message_id'])
    const own = composeUser(user, { address: true, client_gravatar: false, profile_data: true })
    return { ...own, avatar_url: avatarUrl(user, true), max_message_id: content.last_message_id || -1 }
  },
})

export const getUser = endpoint({
  method: 'GET',
  path: '/users/{user_id}',
  summary: 'Gets an account by its id.',
  callers: 'account',
  params: { user_id: idInPath(), ...viewParams },
  response: z.object({ user: userObject }),
  handle: (call) => composeUserAnswer(call, call.state.users.get(call.params.user_id)),
})

export const getUserByEmail = endpoint({
  method: 'GET',
  path: '/users/{email}',
  summary: 'Gets an account by its API address, or by the real one if the caller may see it.',
  callers: 'account',
  params: { email: textInPath(), ...viewParams },
  response: z.object({ user: userObject }),
  async handle(call) {
    const { app, state, caller, params } = call
    const host = realmHost(state.realm.string_id, app.config)
    return composeUserAnswer(call, await findUserByEmail(app.store.sql, state, caller.user, params.email, host))
  },
})

export const createUserAccount = endpoint({
  method: 'POST',
  path: '/users',
  summary: 'Creates an account.',
  callers: 'administrator',
  condition: 'The operator can withdraw this right from an account.',
  params: { email: str(), full_name: str(), password: str() },
  example: { email: 'ines@example.com', full_name: 'Ines', password: '{password}' },
  response: z.object({ user_id: z.int() }),
  errors: [errors.notAdministrator, errors.rateLimitHit],
  allowances: ['address_tests_by_user'],
  changesStructure: true,
  async prepare({ caller, params }) {
    checkRight(caller.user, 'can_create_users')
    const isWeak = await isWeakPassword(params.password, [params.email, params.full_name])
    return { password_hash: isWeak ? undefined : await hashPassword(params.password) }
  },
  async handle(call) {
    const { app, state, caller, params, write, prepared } = call
    checkRight(caller.user, 'can_create_users')
    await countAddressTest(call, params.email)
    const full_name = validateFullName(state, params.full_name)
    const email = validateEmail(state, params.email)
    checkAddressIsFree(state, email)
    const { password_hash } = prepared
    if (password_hash === undefined) throw errors.badRequest('The password is too easy to guess: choose a longer one.')
    const account = { email, full_name, password_hash }
    const host = realmHost(state.realm.string_id, app.config)
    const jobs = composeWelcomeJobs(state, realmUrl(state.realm.string_id, app.config))
    const composeAnswer = ([user]: readonly UserRow[]) => ({ user_id: user?.id as number })
    return write.answering(composeAnswer, (keyed) => createUsers(keyed, host, [account], entriesChange([], jobs)))
  },
})

/** The form of the user object that the viewer receives. */
const composeView = (viewer: UserRow, user: UserRow, view: Omit<UserView, 'address'>): UserView => ({
  address: canSeeAddress(viewer, user),
  ...view,
})

/** All accounts of the organization by id, or those with the given ids; without system bots. */
const selectUsers = (state: RealmState, user_ids: readonly number[] | undefined): readonly UserRow[] => {
  if (user_ids === undefined) return listUsers(state).own
  const users = [...new Set(user_ids)].flatMap((id) => state.users.get(id) ?? [])
  return users.filter((user) => !user.is_system_bot).sort((a, b) => a.id - b.id)
}

/** The answer with one account. Throws BAD_REQUEST when there is none, or the caller has no access to it. */
const composeUserAnswer = async (
  { app, state, caller, params }: Pick<Call<typeof viewParams>, 'app' | 'state' | 'caller' | 'params'>,
  user: UserRow | undefined,
) => {
  if (user === undefined) throw errors.noSuchUser()
  const isKnown = await loadAccessCheck(app.store.sql, state, caller.user)
  if (!isKnown(user)) throw errors.insufficientPermission()
  const view = { client_gravatar: params.client_gravatar, profile_data: params.include_custom_profile_fields }
  return rawObject({ user: rawText(userJson(user, composeView(caller.user, user, view), false)) })
}
