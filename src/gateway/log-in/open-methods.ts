/** The log-in methods of an organization, with those that the configuration adds. */
import type { Config } from '../../config/config.js'
import { openWays } from '../../config/log-in-ways.js'
import type { RealmState } from '../../domain/log/state.js'
import { type LogInKind, type LogInMethod, listOpenMethods, type MethodOf } from '../../domain/log-in/methods.js'
import { errors } from '../../domain/protocol/errors.js'

type Offer = Pick<Config, 'LOG_IN_METHODS' | 'JWT_KEYS'>

/** The methods with which users can log in now. They are in the order in which they are shown. */
export const openMethods = (config: Offer, state: RealmState): LogInMethod[] =>
  listOpenMethods(state, config.LOG_IN_METHODS, openWays(config, state))

/** The method of this key. Throws BAD_REQUEST when users cannot log in with it. */
export const requireMethod = (config: Offer, state: RealmState, key: string): LogInMethod => {
  const method = openMethods(config, state).find((one) => one.key === key)
  if (method === undefined) throw noSuchWay()
  return method
}

/** The method of this key and protocol. Throws BAD_REQUEST when users cannot log in with it. */
export const requireMethodOf = <Kind extends LogInKind>(
  config: Offer,
  state: RealmState,
  key: string,
  kind: Kind,
): MethodOf<Kind> => {
  const method = requireMethod(config, state, key)
  if (method.kind !== kind) throw noSuchWay()
  return method as MethodOf<Kind>
}

const noSuchWay = () => errors.badRequest('The organization has no such way to log in any more.')
