/** The ways to log in of an organization, with those that the configuration adds. */
import type { Config } from '../../config/config.js'
import type { RealmState } from '../../domain/log/state.js'
import { findWays, type LogInMethod, listOpenMethods } from '../../domain/log-in/methods.js'
import { errors } from '../../domain/protocol/errors.js'
import type { OtherWays } from '../../domain/realm/authentication.js'

type Offer = Pick<Config, 'LOG_IN_METHODS' | 'JWT_KEYS'>

/** Which ways there are besides passwords. */
export const openWays = (config: Offer, state: RealmState): OtherWays =>
  findWays(state, config.LOG_IN_METHODS, config.JWT_KEYS.has(state.realm.string_id))

/** The methods with which users can log in now. They are in the order in which they are shown. */
export const openMethods = (config: Offer, state: RealmState): LogInMethod[] =>
  listOpenMethods(state, config.LOG_IN_METHODS, openWays(config, state))

/** The method of this key. Throws BAD_REQUEST when users cannot log in with it. */
export const requireMethod = (config: Offer, state: RealmState, key: string): LogInMethod => {
  const method = openMethods(config, state).find((one) => one.key === key)
  if (method === undefined) throw errors.badRequest('The organization has no such way to log in any more.')
  return method
}
