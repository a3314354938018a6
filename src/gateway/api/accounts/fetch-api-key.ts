/**
 * Logging in: a client gets an API key for an email address and a password, or for a JSON web token of a trusted site.
 * Source: protocol/endpoints.md 3.12, protocol/errors.md 4.
 */
import { z } from 'zod'
import { isAdministrator } from '#rules/roles.js'
import { secondsNow } from '#rules/time.js'
import { realmUrl } from '../../../config/hosts.js'
import { openWays } from '../../../config/log-in-ways.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { realmUrlFields } from '../../../domain/protocol/aliases.js'
import { errors } from '../../../domain/protocol/errors.js'
import { isOpenWay } from '../../../domain/realm/authentication.js'
import { composeUser, userObject } from '../../../domain/users/users.js'
import type { Realm } from '../../../store/log/realm.js'
import { markTokenUsed } from '../../../store/users/used-tokens.js'
import { endpoint } from '../../call/endpoint.js'
import { bool, str } from '../../call/params.js'
import { verifyToken } from '../../log-in/json-web-token.js'
import {
  findHumanAccount,
  logInRefusals,
  noteLogin,
  refuseSecondFactor,
  requireActiveAccount,
  requireActiveRealm,
  requireDevelopment,
  verifyPassword,
} from './log-in-checks.js'

/** With what an account calls the API. */
export const credentials = z.object({
  api_key: z.string(),
  email: z.string().describe('the real address'),
  user_id: z.int(),
})

/** An account for logging in on a development server. */
export const developmentAccount = z.object({ email: z.string(), realm_url: z.string(), realm_uri: z.string() })

export const fetchApiKey = endpoint({
  method: 'POST',
  path: '/fetch_api_key',
  summary: 'Returns the API key of an account for its email address and password.',
  callers: 'anyone',
  params: { username: str().describe('the real address, or the name in a directory'), password: str() },
  example: { username: '{email}', password: '{password}' },
  response: credentials,
  errors: [...logInRefusals, errors.secondFactorRequired, errors.secondFactorEnrolmentRequired],
  barrier: true,
  async handle({ app, write, request, params: { username, password } }) {
    const open = requireActiveRealm(write)
    const user = await verifyPassword(app, open, { username, password, action: 'POST /fetch_api_key' }, request)
    await refuseSecondFactor(open, user)
    await noteLogin(app, open, user, request)
    return composeCredentials(open.realm, user)
  },
})

export const jwtFetchApiKey = endpoint({
  method: 'POST',
  path: '/jwt/fetch_api_key',
  summary: 'Returns the API key of an account for a JSON web token from a site that the organization trusts.',
  callers: 'anyone',
  params: {
    token: str()
      .default('')
      .describe('a JSON web token with the claims `email` and `exp`, at most 10 minutes from now; it logs in once'),
    include_profile: bool().default(false),
  },
  noExample: 'It needs a site that signs tokens, which the operator configures.',
  response: credentials.omit({ user_id: true }).extend({ user: userObject.optional() }),
  errors: [...logInRefusals, errors.secondFactorRequired, errors.secondFactorEnrolmentRequired],
  barrier: true,
  async handle({ app, write, request, params: { token, include_profile } }) {
    const open = requireActiveRealm(write)
    const { realm } = open
    const key = app.config.JWT_KEYS.get(realm.state.realm.string_id)
    if (key === undefined || !isOpenWay('JWT', realm.state.settings, openWays(app.config, realm.state)))
      throw errors.badRequest('Logging in by JSON web token is not enabled in this organization.')
    if (token === '') throw errors.badRequest('Send the JSON web token as token.')
    const now = secondsNow()
    const verified = await verifyToken(token, key, now)
    if (!(await markTokenUsed(app.store.sql, realm.id, verified, now))) {
      throw errors.badRequest('This JSON web token was used before: each token logs in once.')
    }
    const user = requireActiveAccount(findHumanAccount(realm, verified.email))
    await refuseSecondFactor(open, user)
    await noteLogin(app, open, user, request)
    const { api_key, email } = composeCredentials(realm, user)
    const profile = include_profile
      ? { user: composeUser(user, { address: true, client_gravatar: false, profile_data: true }) }
      : {}
    return { api_key, email, ...profile }
  },
})

export const devFetchApiKey = endpoint({
  method: 'POST',
  path: '/dev_fetch_api_key',
  summary: 'Returns the API key of an account for its email address alone; on development servers only.',
  callers: 'anyone',
  params: { username: str() },
  noExample: 'It works on development servers only.',
  response: credentials,
  errors: logInRefusals,
  barrier: true,
  handle({ app, write, request, params: { username } }) {
    requireDevelopment(app, request)
    const { realm } = requireActiveRealm(write)
    return composeCredentials(realm, requireActiveAccount(findHumanAccount(realm, username)))
  },
})

export const devListUsers = endpoint({
  method: 'GET',
  path: '/dev_list_users',
  summary: 'Lists the accounts for logging in on a development server, administrators first.',
  callers: 'anyone',
  params: {},
  noExample: 'It works on development servers only.',
  response: z.object({ direct_admins: z.array(developmentAccount), direct_users: z.array(developmentAccount) }),
  errors: [errors.nonexistentSubdomain, errors.realmIsDeactivated],
  handle({ app, write, request }) {
    requireDevelopment(app, request)
    const { state } = requireActiveRealm(write).realm
    const realm_url = realmUrl(state.realm.string_id, app.config)
    const users = [...state.users.values()].filter(({ is_active, is_bot }) => is_active && !is_bot)
    const chosen = (wanted: boolean) =>
      users
        .filter((user) => isAdministrator(user) === wanted)
        .map(({ delivery_email: email }) => ({ email, ...realmUrlFields(realm_url) }))
    return { direct_admins: chosen(true), direct_users: chosen(false) }
  },
})

const composeCredentials = (realm: Realm, user: UserRow): z.infer<typeof credentials> => ({
  api_key: realm.state.deployment.keys.apiKey(realm.id, user.id, user.key_version),
  email: user.delivery_email,
  user_id: user.id,
})
