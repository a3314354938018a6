/**
 * The caller of a call.
 *
 * 1. The write context of an attempt is opened before the caller's row is read, so its guard covers that row.
 */

import { secondsNow } from '#rules/time.js'
import { ApiError } from '../../domain/protocol/errors.js'
import type { MaybePromise } from '../../store/log/maybe-promise.js'
import type { Realm } from '../../store/log/realm.js'
import { WriteContext } from '../../store/log/write-context.js'
import { authenticateSession } from '../auth/session-auth.js'
import type { CallRequest } from '../contract/call-request.js'
import type { Caller, CallerSession, KeyHolder } from '../contract/caller.js'
import { hasSpectatorAccess } from './access-rules.js'
import { CallActor } from './call-actor.js'
import { requireNotMoving } from './find-realm.js'
import type { Next, Outcome, PipelineParts, RunningCall } from './running-call.js'
import { parseClientName } from './user-agent.js'

/** What of a request the authentication reads. */
export type Credentials = Pick<CallRequest, 'host' | 'ip' | 'authorization' | 'session' | 'userAgent' | 'fields'>

/** Step: opens the write context and finds the caller. Throws REALM_MOVING, and the errors of protocol/errors.md 4. */
export const authenticate = (call: RunningCall, next: Next): MaybePromise<Outcome> => {
  const { parts, realm, endpoint, request } = call
  requireNotMoving(realm)
  // Before the caller's row is read (1).
  const opened = realm && WriteContext.open(parts.dependencies, realm, call.holdsStructureLock)
  const caller = findCaller(call)
  call.caller = caller
  call.user_id = caller?.id
  const isRead = endpoint.method === 'GET'
  call.write = isRead ? opened : opened?.withActor(new CallActor(endpoint, request, caller, call.trace))
  return next(call)
}

/** The caller, where credentials are given or needed. Throws the errors that come before the call is counted. */
const findCaller = ({ parts, realm, endpoint, request }: RunningCall): Caller | undefined => {
  const { callers } = endpoint
  if (realm === undefined || callers === 'anyone') return undefined
  const user = request.authorization === '' ? endpoint.authenticate?.(realm, request) : undefined
  if (user !== undefined) return composeCaller(realm, { user, apiKey: undefined }, request)
  const mayBeSpectator = callers === 'spectator' && request.authorization === '' && hasSpectatorAccess(realm.state)
  if (mayBeSpectator && request.session === undefined) return undefined
  try {
    return authenticateCaller(parts, realm, request, endpoint.method !== 'GET')
  } catch (error) {
    if (mayBeSpectator && isOfForgottenCookie(error, request)) return undefined
    throw error
  }
}

/** A browser keeps the cookie of a session that has ended. A page that believes in the session sends its token. */
const isOfForgottenCookie = (error: unknown, { session }: Credentials): boolean =>
  error instanceof ApiError && error.isFailedAuthentication && session?.csrf_token === ''

/**
 * The caller of a request that needs one. Throws the errors of protocol/errors.md 4.
 * @param changes whether the call can change something; see `authenticateSession`
 */
export const authenticateCaller = (
  { authenticateHeader, hooks }: PipelineParts,
  realm: Realm,
  request: Credentials,
  changes: boolean,
): Caller => {
  const { authorization, session: credentials } = request
  if (authorization !== '' || credentials === undefined) {
    const holder = authenticateHeader(realm, authorization)
    if (holder.apiKey !== undefined) hooks.onKeyUse(realm, holder.apiKey.id, secondsNow())
    return composeCaller(realm, holder, request)
  }
  const now = secondsNow()
  const { user, session } = authenticateSession(realm, credentials, changes, now)
  hooks.onSessionUse(realm, session.id, now)
  return composeCaller(realm, { user, apiKey: undefined }, request, session)
}

const composeCaller = (
  realm: Realm,
  { user, apiKey }: KeyHolder,
  { fields, userAgent }: Credentials,
  session?: CallerSession,
): Caller => ({
  id: user.id,
  user,
  realm,
  client: parseClientName(fields.client, userAgent),
  session,
  apiKey,
})
