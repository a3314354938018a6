/**
 * Counts calls against the rate limits (fairness/rate-limit.ts).
 *
 * 1. A call is counted at its first attempt only, and not at all if it was counted before its body was received.
 * 2. A call without valid credentials is counted by network address, and answered with RATE_LIMIT_HIT beyond the limit.
 *    Valid credentials are accepted from the same address all the while, so that no user is locked out: an API key has
 *    190 bits and cannot be guessed at any rate, and neither can the token of a session.
 */
import { type ApiError, errors } from '../../domain/protocol/errors.js'
import type { Allowance } from '../../store/limits/rate-limiter.js'
import type { MaybePromise } from '../../store/log/maybe-promise.js'
import type { CallRequest } from '../contract/call-request.js'
import type { HttpExchange } from '../contract/transport.js'
import { allowanceHeaders } from '../fairness/rate-limit.js'
import type { Next, Outcome, PipelineParts, RunningCall } from './running-call.js'

/** Step: counts the call (1). Throws RATE_LIMIT_HIT. */
export const count = (call: RunningCall, next: Next): MaybePromise<Outcome> => {
  const { endpoint, isCounted, http } = call
  if (isCounted || endpoint.rateLimit === null) return next(call)
  const allowance = countCall(call, endpoint.rateLimit)
  if (allowance instanceof Promise) return continueWhenCounted(call, next, allowance)
  requireAllowance(allowance, http?.exchange)
  return next(call)
}

const continueWhenCounted = async (call: RunningCall, next: Next, counted: Promise<Allowance | undefined>) => {
  requireAllowance(await counted, call.http?.exchange)
  return next(call)
}

/** What the counter of calls reads of a call. */
export type CountedCall = Pick<RunningCall, 'parts' | 'realm' | 'user_id' | 'request' | 'isCounted'>

/** Counts a call in a class. @returns the allowance that is left */
export const countCall = (call: CountedCall, rateClass: string): MaybePromise<Allowance | undefined> => {
  call.isCounted = true
  const { parts, realm, user_id, request } = call
  return parts.hooks.rateLimit({ rateClass, realm, user_id, request })
}

/** Adds the headers of an allowance to the answer. Throws RATE_LIMIT_HIT if nothing is left of it. */
export const requireAllowance = (allowance: Allowance | undefined, exchange: HttpExchange | undefined): void => {
  if (allowance === undefined) return
  exchange?.addHeaders(allowanceHeaders(allowance))
  const { retry_after } = allowance
  if (retry_after !== undefined) throw errors.rateLimitHit({ 'retry-after': retry_after }).asFinal()
}

/** Counts a call that failed because it has no valid credentials (2). @returns the error to answer */
export const countFailure = async (
  { hooks }: PipelineParts,
  error: ApiError,
  request: Pick<CallRequest, 'ip'>,
): Promise<ApiError> => {
  // A final one follows valid credentials: they ended while the call ran.
  if (!error.isFailedAuthentication || error.isFinal) return error
  const call = { rateClass: 'failed_authentication', realm: undefined, user_id: undefined, request }
  const { retry_after } = (await hooks.rateLimit(call)) ?? {}
  return retry_after === undefined ? error : errors.rateLimitHit({ 'retry-after': retry_after })
}
