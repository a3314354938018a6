/**
 * Logging in: a client gets an API key for an email address and a password, or for a JSON web token of a trusted site.
 * Source: endpoints.md 3.12, errors.md section 4.
 */
import { z } from 'zod'
import { isOwnHost, realmUrl } from '../../../config/hosts.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { isAdministrator, secondsNow } from '../../../domain/permissions/permissions.js'
import { realmUrlFields } from '../../../domain/protocol/aliases.js'
import { errors } from '../../../domain/protocol/errors.js'
import { isOpenWay } from '../../../domain/realm/authentication.js'
import { isEmailAddress } from '../../../domain/users/name-and-email-rules.js'
import { composeUser, userObject } from '../../../domain/users/users.js'
import type { Realm } from '../../../store/log/realm.js'
import type { WriteContext } from '../../../store/log/write-context.js'
import { recordLogin } from '../../../store/users/logins.js'
import { comparePassword } from '../../../store/users/passwords.js'
import { markTokenUsed } from '../../../store/users/used-tokens.js'
import type { App } from '../../http/app.js'
import { type CallRequest, endpoint } from '../../http/endpoint.js'
import { bool, str } from '../../http/params.js'
import { parseClientName } from '../../http/user-agent.js'
import { verifyToken } from './json-web-token.js'
import { countPasswordAttempt } from './password-attempts.js'

const credentials = z.object({
  api_key: z.string(),
  email: z.string().describe('the real address'),
  user_id: z.int(),
})

const developmentAccount = z.object({ email: z.string(), realm_url: z.string(), realm_uri: z.string() })

const refusals = [
  errors.authenticationFailed,
  errors.userDeactivated,
  errors.realmIsDeactivated,
  errors.passwordAuthDisabled,
  errors.passwordResetRequired,
  errors.nonexistentSubdomain,
  errors.rateLimitHit,
]

export const fetchApiKey = endpoint({
  method: 'POST',
  path: '/fetch_api_key',
  summary: 'Returns the API key of an account for its email address and password.',
  access: 'anyone',
  params: { username: str().describe('the real address'), password: str() },
  response: credentials,
  errors: refusals,
  barrier: true,
  async handle({ app, write, request, params: { username, password } }) {
    const open = requireActiveRealm(write)
    const { realm } = open
    const { string_id } = realm.state.realm
    if (!isOpenWay('Email', realm.state.settings, app.config.JWT_KEYS.has(string_id)))
      throw errors.passwordAuthDisabled()
    if (!isEmailAddress(username.trim())) throw errors.badRequest('This is not an email address.')
    const found = findHumanAccount(realm, username)
    const { retry_after, succeed: wasRight } = await countPasswordAttempt(
      app,
      realm.id,
      found?.id ?? username.trim().toLowerCase(),
      request,
    )
    if (retry_after !== undefined) throw errors.rateLimitHit({ 'retry-after': retry_after })
    const compared = await comparePassword(app.store.sql, realm.id, found?.id, password)
    if (compared === 'reset') throw errors.passwordResetRequired()
    if (compared === 'wrong' || found === undefined) throw errors.authenticationFailed()
    await wasRight()
    // Read again, because the account may have changed while the password was compared.
    return logIn(app, open, realm.state.users.get(found.id), request)
  },
})

export const jwtFetchApiKey = endpoint({
  method: 'POST',
  path: '/jwt/fetch_api_key',
  summary: 'Returns the API key of an account for a JSON web token from a site that the organization trusts.',
  access: 'anyone',
  params: {
    token: str()
      .default('')
      .describe('a JSON web token with the claims `email` and `exp`, at most 10 minutes from now; it logs in once'),
    include_profile: bool().default(false),
  },
  response: credentials.omit({ user_id: true }).extend({ user: userObject.optional() }),
  errors: refusals,
  barrier: true,
  async handle({ app, write, request, params: { token, include_profile } }) {
    const open = requireActiveRealm(write)
    const { realm } = open
    const key = app.config.JWT_KEYS.get(realm.state.realm.string_id)
    if (key === undefined || !isOpenWay('JWT', realm.state.settings, true))
      throw errors.badRequest('Logging in by JSON web token is not enabled in this organization.')
    if (token === '') throw errors.badRequest('Send the JSON web token as token.')
    const now = secondsNow()
    const verified = await verifyToken(token, key, now)
    if (!(await markTokenUsed(app.store.sql, realm.id, verified, now))) {
      throw errors.badRequest('This JSON web token was used before: each token logs in once.')
    }
    const user = findHumanAccount(realm, verified.email)
    const { api_key, email } = await logIn(app, open, user, request)
    const profile =
      include_profile && user !== undefined
        ? { user: composeUser(user, { address: true, client_gravatar: false, profile_data: true }) }
        : {}
    return { api_key, email, ...profile }
  },
})

export const devFetchApiKey = endpoint({
  method: 'POST',
  path: '/dev_fetch_api_key',
  summary: 'Returns the API key of an account for its email address alone; on development servers only.',
  access: 'anyone',
  params: { username: str() },
  response: credentials,
  errors: refusals,
  barrier: true,
  handle({ app, write, request, params: { username } }) {
    requireDevelopment(app, request)
    const { realm } = requireActiveRealm(write)
    return composeCredentials(realm, findHumanAccount(realm, username))
  },
})

export const devListUsers = endpoint({
  method: 'GET',
  path: '/dev_list_users',
  summary: 'Lists the accounts for logging in on a development server, administrators first.',
  access: 'anyone',
  params: {},
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

/**
 * Throws BAD_REQUEST, unless this is a development server, and a 403 for a page of another site: a developer also
 * visits other pages with the same browser, and these pages can send requests to the server.
 */
const requireDevelopment = ({ config }: App, { host, isFromForeignPage }: CallRequest): void => {
  if (config.NODE_ENV === 'production') throw errors.badRequest('This works only on a development server.')
  if (config.NODE_ENV !== 'development')
    throw errors.badRequest('This server does not allow logging in without a password.')
  if (isFromForeignPage) throw errors.foreignPage()
  if (!isOwnHost(host, config))
    throw errors.badRequest('This development server has another name: call it as localhost, or set PUBLIC_URL.')
}

/** The context of a call to an active organization. */
const requireActiveRealm = (write: WriteContext | undefined): WriteContext => {
  if (write === undefined) throw errors.nonexistentSubdomain()
  if (!write.realm.state.realm.is_active) throw errors.realmIsDeactivated()
  return write
}

/** The account of a human user; bots have no passwords. */
const findHumanAccount = ({ state }: Realm, username: string): UserRow | undefined => {
  const user = state.userByEmail(username.trim())
  return user === undefined || user.is_bot ? undefined : user
}

/** Composes the answer to a login, and records the login: the user gets a mail if it is from a new device. */
const logIn = async (
  app: App,
  write: WriteContext,
  user: UserRow | undefined,
  { ip, userAgent, fields }: Pick<CallRequest, 'ip' | 'userAgent' | 'fields'>,
): Promise<z.infer<typeof credentials>> => {
  const { realm } = write
  const key = composeCredentials(realm, user)
  const client = parseClientName(fields.client, userAgent)
  const realm_url = realmUrl(realm.state.realm.string_id, app.config)
  if (user !== undefined) await recordLogin(write, user, { client, ip, at: secondsNow(), realm_url })
  return key
}

/** Throws AUTHENTICATION_FAILED when there is no such account, and USER_DEACTIVATED. */
const composeCredentials = (realm: Realm, user: UserRow | undefined): z.infer<typeof credentials> => {
  if (user === undefined) throw errors.authenticationFailed()
  if (!user.is_active) throw errors.userDeactivated()
  return {
    api_key: realm.state.deployment.keys.apiKey(realm.id, user.id, user.key_version),
    email: user.delivery_email,
    user_id: user.id,
  }
}
