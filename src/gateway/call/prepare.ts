/**
 * What an endpoint does before its handler takes the structure lock (`prepare` of its declaration).
 *
 * 1. The work is done once: a call that runs again on newer state uses the result of its first attempt. A later attempt
 *    may hold the structure lock, and all other structural changes of the realm would wait for the work.
 */
import type { MaybePromise } from '../../store/log/maybe-promise.js'
import { requirePermission } from './check-access.js'
import { composeCall } from './handle.js'
import type { Next, Outcome, RunningCall } from './running-call.js'

/** Step: does the work that the endpoint declares (1). Throws what that throws. */
export const prepare = (call: RunningCall, next: Next): MaybePromise<Outcome> =>
  call.endpoint.prepare === undefined || call.isPrepared ? next(call) : prepareFirst(call, next)

const prepareFirst = async (call: RunningCall, next: Next): Promise<Outcome> => {
  requirePermission(call)
  call.prepared = await call.endpoint.prepare?.(composeCall(call))
  call.isPrepared = true
  return next(call)
}
