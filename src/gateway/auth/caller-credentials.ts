/** Whether the session or the API key with which a caller authenticated still exists, after the call has waited. */
import type { RealmState } from '../../domain/log/state.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Caller } from '../contract/caller.js'

type CallerCredentials = Pick<Caller, 'session' | 'apiKey'>

/** Whether neither the session nor the key with a name of the caller has ended. */
export const hasCredentials = (state: Pick<RealmState, 'sessions' | 'apiKeys'>, caller: CallerCredentials): boolean => {
  const { session, apiKey } = caller
  if (session !== undefined && !state.sessions.has(session.id)) return false
  return apiKey === undefined || state.apiKeys.has(apiKey.id)
}

/** Throws UNAUTHORIZED when the session or the key of the caller has ended. */
export const checkCredentials = (state: Pick<RealmState, 'sessions' | 'apiKeys'>, caller: CallerCredentials): void => {
  if (hasCredentials(state, caller)) return
  throw caller.session === undefined ? errors.invalidApiKey() : errors.sessionEnded()
}
