/** The log-in methods of an organization, with those that the configuration adds. */
import { type LogInConfig, openWays } from '../../config/log-in-ways.js'
import type { RealmState } from '../../domain/log/state.js'
import { type Directory, listOpenDirectories } from '../../domain/log-in/directories.js'
import { type LogInKind, type LogInMethod, listOpenMethods, type MethodOf } from '../../domain/log-in/methods.js'
import { errors } from '../../domain/protocol/errors.js'

/** The methods with which users can log in now. They are in the order in which they are shown. */
export const openMethods = (config: LogInConfig, state: RealmState): LogInMethod[] =>
  listOpenMethods(state, config.LOG_IN_METHODS, openWays(config, state))

/** The method of this key. Throws BAD_REQUEST when users cannot log in with it. */
export const requireMethod = (config: LogInConfig, state: RealmState, key: string): LogInMethod => {
  const method = openMethods(config, state).find((one) => one.key === key)
  if (method === undefined) throw noSuchWay()
  return method
}

/** The method of this key and protocol. Throws BAD_REQUEST when users cannot log in with it. */
export const requireMethodOf = <Kind extends LogInKind>(
  config: LogInConfig,
  state: RealmState,
  key: string,
  kind: Kind,
): MethodOf<Kind> => {
  const method = requireMethod(config, state, key)
  if (method.kind !== kind) throw noSuchWay()
  return method as MethodOf<Kind>
}

const noSuchWay = () => errors.badRequest('The organization has no such way to log in any more.')

/** The directories with whose passwords users can log in now. They are in the order in which they are asked. */
export const openDirectories = (config: LogInConfig, state: RealmState): Directory[] =>
  listOpenDirectories(state, config.LDAP_DIRECTORIES, openWays(config, state))
