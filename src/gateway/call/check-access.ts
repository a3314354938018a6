/**
 * Checks who may call the endpoint: its access rule (access-rules.ts), the scope that an API key needs (key-scope.ts),
 * and the permission of the organization that it declares.
 *
 * 1. The access rule is checked before the parameters are read, and the permission after them.
 * 2. Groups can change while a call waits for the structure lock, so the permission is checked by the last step before
 *    the handler, and before the work of `prepare`.
 */
import { mayInRealm } from '#rules/permissions.js'
import { errors } from '../../domain/protocol/errors.js'
import type { MaybePromise } from '../../store/log/maybe-promise.js'
import type { Caller } from '../contract/caller.js'
import { accessError } from './access-rules.js'
import type { Endpoint } from './endpoint.js'
import { checkKeyScope } from './key-scope.js'
import type { Next, Outcome, RunningCall } from './running-call.js'

/** Step: checks whether the caller may call the endpoint. Throws what `requireAccess` throws. */
export const checkAccess = (call: RunningCall, next: Next): MaybePromise<Outcome> => {
  if (call.caller !== undefined) requireAccess(call.endpoint, call.caller)
  return next(call)
}

/**
 * Refuses a caller who may not call the endpoint. Throws the error of the access rule, and what `checkKeyScope` throws.
 */
export const requireAccess = (endpoint: Endpoint, { user, realm, apiKey }: Caller): void => {
  const error = accessError(endpoint.callers, user, realm.state)
  if (error !== undefined) throw error
  checkKeyScope(endpoint, apiKey)
}

/** Throws BAD_REQUEST for a caller without the declared permission (2). */
export const requirePermission = ({ endpoint: { permission }, caller }: RunningCall): void => {
  if (permission === undefined || caller === undefined) return
  if (!mayInRealm(caller.realm.state, caller.user, permission)) throw errors.insufficientPermission()
}
