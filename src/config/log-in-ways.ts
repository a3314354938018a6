/** The ways to log in that the configuration adds to those of an organization. */
import type { RealmState } from '../domain/log/state.js'
import { findWays } from '../domain/log-in/methods.js'
import type { OtherWays } from '../domain/realm/authentication.js'
import type { Config } from './config.js'

/** The settings with ways to log in. */
export type LogInConfig = Pick<Config, 'LOG_IN_METHODS' | 'LDAP_DIRECTORIES' | 'JWT_KEYS'>

/** Which ways to log in an organization has besides passwords. */
export const openWays = (
  { LOG_IN_METHODS = [], LDAP_DIRECTORIES = [], JWT_KEYS }: Partial<LogInConfig>,
  state: RealmState,
): OtherWays => findWays(state, LOG_IN_METHODS, JWT_KEYS?.has(state.realm.string_id) === true, LDAP_DIRECTORIES)
