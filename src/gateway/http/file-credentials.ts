/**
 * Who asks for a file: by the Authorization header, or by an API key in the address, which is all that an image in an
 * older client can bring. Source: endpoints.md 3.10.
 */

import { apiKeyOf, looksLikeApiKey } from '../../domain/deployment/api-key.js'
import type { UserRow } from '../../domain/log/rows.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Realm } from '../../store/log/realm.js'
import type { App } from './app.js'
import { type Authenticator, openAuthenticator } from './basic-auth.js'
import type { CallRequest } from './endpoint.js'

const authenticators = new WeakMap<App, Authenticator>()

/** The account that asks; undefined for nobody. Throws the refusals of errors.md section 4. */
export const authenticateFileRequest = (
  app: App,
  realm: Realm,
  { authorization, fields }: CallRequest,
): UserRow | undefined => {
  if (authorization !== '') {
    let authenticate = authenticators.get(app)
    if (authenticate === undefined) {
      authenticate = openAuthenticator(app.config.SECRET_KEY, () => app.store.realms.loaded())
      authenticators.set(app, authenticate)
    }
    return authenticate(realm, authorization)
  }
  const { api_key } = fields
  if (typeof api_key !== 'string') return undefined
  if (!looksLikeApiKey(api_key)) throw errors.malformedKeyParameter()
  const user = findUserByApiKey(app, realm, api_key)
  if (user === undefined) throw errors.invalidKeyParameter()
  if (!user.is_active) throw errors.accountDeactivated()
  if (!realm.state.realm.is_active) throw errors.realmDeactivated()
  return user
}

const keys = new WeakMap<UserRow, string>()

/** Keys are derived from accounts, so the account of a key is searched for; each row's key is derived once. */
const findUserByApiKey = ({ config }: App, realm: Realm, given: string): UserRow | undefined => {
  let found: UserRow | undefined
  for (const user of realm.state.users.values()) {
    let key = keys.get(user)
    if (key === undefined) {
      key = apiKeyOf(config.SECRET_KEY, realm.id, user.id, user.key_version)
      keys.set(user, key)
    }
    if (key === given) found = user
  }
  return found
}
