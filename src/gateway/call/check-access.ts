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

/** Throws the error of the access rule for a caller who may not call the endpoint. */
export const requireAccess = ({ callers }: Endpoint, { user, realm }: Caller): void => {
  const error = accessError(callers, user, realm.state)
  if (error !== undefined) throw error
}
