/**
 * Slow work, done once per request: when a call runs again on newer state, it uses the result of its first attempt. A
 * later attempt may hold the structure lock, and all other structural changes of the realm would wait for the work.
 */
import type { CallRequest } from '../contract/call-request.js'

const results = new WeakMap<CallRequest, Promise<unknown>>()

/** Does the slow work of a request in its first attempt. @returns its result; a request has one such work */
export const oncePerRequest = <T>(request: CallRequest, work: () => Promise<T>): Promise<T> => {
  const known = results.get(request) as Promise<T> | undefined
  if (known !== undefined) return known
  const result = work()
  results.set(request, result)
  return result
}
