/**
 * Logging in: from an address and a password to an API key. Source: endpoints.md 3.12, errors.md section 4.
 *
 * SEAM: guesses are not counted yet; `authenticate_by_username` of limits.ts is the rate.
 */
import { z } from 'zod'
import { isEmailAddress } from '../../domain/account-rules.js'
import { apiKeyOf } from '../../domain/api-key.js'
import { takesPasswords } from '../../domain/authentication.js'
import { errors } from '../../domain/errors.js'
import type { UserRow } from '../../domain/rows.js'
import { comparePassword } from '../../store/passwords.js'
import type { Realm } from '../../store/realm.js'
import type { App } from '../app.js'
import { endpoint } from '../http/endpoint.js'
import { str } from '../http/params.js'

const credentials = z.object({
  api_key: z.string(),
  email: z.string().describe('the real address'),
  user_id: z.int(),
})

const refusals = [
  errors.authenticationFailed,
  errors.userDeactivated,
  errors.realmIsDeactivated,
  errors.passwordAuthDisabled,
  errors.passwordResetRequired,
  errors.nonexistentSubdomain,
]

export const fetchApiKey = endpoint({
  method: 'POST',
  path: '/fetch_api_key',
  summary: 'Gets the API key of an account by its address and password.',
  who: 'anyone',
  params: { username: str().describe('the real address'), password: str() },
  response: credentials,
  errors: refusals,
  barrier: true,
  async handle({ app, realm, params: { username, password } }) {
    const open = opened(realm)
    if (!takesPasswords()) throw errors.passwordAuthDisabled()
    if (!isEmailAddress(username.trim())) throw errors.badRequest('Enter a valid email address.')
    const found = accountOf(open, username)
    const compared = await comparePassword(app.store.sql, open.id, found?.id, password)
    if (compared === 'reset') throw errors.passwordResetRequired()
    if (compared === 'wrong' || found === undefined) throw errors.authenticationFailed()
    // Looked at again: the account may have changed while the password was compared.
    return keyOf(app, open, open.state.users.get(found.id))
  },
})

export const devFetchApiKey = endpoint({
  method: 'POST',
  path: '/dev_fetch_api_key',
  summary: 'Gets the API key of an account by its address alone; on development servers only.',
  who: 'anyone',
  params: { username: str() },
  response: credentials,
  errors: refusals,
  barrier: true,
  handle({ app, realm, params: { username } }) {
    if (app.config.NODE_ENV !== 'development') throw errors.badRequest('Endpoint not available in production.')
    const open = opened(realm)
    return keyOf(app, open, accountOf(open, username))
  },
})

const opened = (realm: Realm | undefined): Realm => {
  if (realm === undefined) throw errors.nonexistentSubdomain()
  if (!realm.state.realm.is_active) throw errors.realmIsDeactivated()
  return realm
}

/** A person's account; bots have no passwords. */
const accountOf = ({ state }: Realm, username: string): UserRow | undefined => {
  const user = state.userByEmail(username.trim())
  return user === undefined || user.is_bot ? undefined : user
}

/** Throws AUTHENTICATION_FAILED for nobody, and USER_DEACTIVATED. */
const keyOf = (app: App, realm: Realm, user: UserRow | undefined): z.infer<typeof credentials> => {
  if (user === undefined) throw errors.authenticationFailed()
  if (!user.is_active) throw errors.userDeactivated()
  return {
    api_key: apiKeyOf(app.config.SECRET_KEY, realm.id, user.id, user.key_version),
    email: user.delivery_email,
    user_id: user.id,
  }
}
