/** Checks the access rule of the endpoint (access-rules.ts). */
import type { MaybePromise } from '../../store/log/maybe-promise.js'
import type { Caller } from '../contract/caller.js'
import { accessError } from './access-rules.js'
import type { Endpoint } from './endpoint.js'
import type { Next, Outcome, RunningCall } from './running-call.js'

/** Step: checks whether the caller may call the endpoint. Throws what `requireAccess` throws. */
export const checkAccess = (call: RunningCall, next: Next): MaybePromise<Outcome> => {
  if (call.caller !== undefined) requireAccess(call.endpoint, call.caller)
  return next(call)
}

/**
 * Refuses a caller who may not call the endpoint. Throws the error of the access rule: BAD_REQUEST, UNAUTHORIZED or
 * UNAUTHORIZED_PRINCIPAL.
 */
export const requireAccess = ({ access }: Endpoint, { user, realm }: Caller): void => {
  const error = accessError(access, user, realm.state)
  if (error !== undefined) throw error
}
