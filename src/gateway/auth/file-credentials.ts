/**
 * Authenticates requests for files: by the Authorization header; by the query parameter `api_key`, because older
 * clients load images by URL and cannot set a header; or by the session cookie. Source: protocol/endpoints.md 3.10.
 */

import { secondsNow } from '#rules/time.js'
import { isExpired } from '../../domain/api-keys/api-keys.js'
import { looksLikeApiKey } from '../../domain/deployment/api-key.js'
import type { UserRow } from '../../domain/log/rows.js'
import { ApiError, errors } from '../../domain/protocol/errors.js'
import type { Realm } from '../../store/log/realm.js'
import type { App } from '../contract/app.js'
import type { CallRequest, SessionCredentials } from '../contract/call-request.js'
import { type Authenticator, openAuthenticator } from './basic-auth.js'
import { findNamedKey } from './named-keys.js'
import { authenticateSession } from './session-auth.js'

const authenticators = new WeakMap<App, Authenticator>()

/**
 * The account of a request for a file.
 * @returns undefined when the request has no credentials
 * Throws the errors of protocol/errors.md 4.
 */
export const authenticateFileRequest = (
  app: App,
  realm: Realm,
  { authorization, session, fields }: CallRequest,
): UserRow | undefined => {
  if (authorization !== '') {
    let authenticate = authenticators.get(app)
    if (authenticate === undefined) {
      authenticate = openAuthenticator(() => app.store.realms.loaded())
      authenticators.set(app, authenticate)
    }
    return authenticate(realm, authorization).user
  }
  const { api_key } = fields
  if (typeof api_key !== 'string') return session && authenticateReader(realm, session)
  if (!looksLikeApiKey(api_key)) throw errors.malformedKeyParameter()
  const user = findUserByApiKey(realm, api_key) ?? findUserByNamedKey(realm, api_key)
  if (user === undefined) throw errors.invalidKeyParameter()
  if (!user.is_active) throw errors.accountDeactivated()
  if (!realm.state.realm.is_active) throw errors.realmDeactivated()
  return user
}

/** The account of a session; undefined when the session has ended, as without credentials. */
const authenticateReader = (realm: Realm, session: SessionCredentials): UserRow | undefined => {
  try {
    return authenticateSession(realm, session, false, secondsNow()).user
  } catch (error) {
    if (error instanceof ApiError && error.isFailedAuthentication) return undefined
    throw error
  }
}

/** The account of a key with a name. Throws INVALID_API_KEY when the key has expired. */
const findUserByNamedKey = ({ state }: Realm, input: string): UserRow | undefined => {
  const key = findNamedKey(state, input)
  if (key === undefined) return undefined
  if (isExpired(key, secondsNow())) throw errors.expiredKeyParameter()
  return state.users.get(key.user_id)
}

const keysByUser = new WeakMap<UserRow, readonly string[]>()

/**
 * Searches the realm for the account of an API key. Keys are derived from accounts and stored nowhere, so there is no
 * index; the keys of each user row are derived once.
 * Every account is compared, so the time does not depend on the match.
 */
const findUserByApiKey = ({ id, state }: Realm, input: string): UserRow | undefined => {
  let found: UserRow | undefined
  for (const user of state.users.values()) {
    let keys = keysByUser.get(user)
    if (keys === undefined) {
      keys = state.deployment.keys.validApiKeys(id, user.id, user.key_version)
      keysByUser.set(user, keys)
    }
    if (keys.includes(input)) found = user
  }
  return found
}
