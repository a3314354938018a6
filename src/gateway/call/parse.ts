/** The parameters of a call (params.ts). */
import { ApiError } from '../../domain/protocol/errors.js'
import type { MaybePromise } from '../../store/log/maybe-promise.js'
import { readParams } from './params.js'
import type { Next, Outcome, RunningCall } from './running-call.js'

/** Step: reads the parameters. Throws the first error of protocol/errors.md 5, which is final: no state changes it. */
export const parse = (call: RunningCall, next: Next): MaybePromise<Outcome> => {
  const { values, ignored } = read(call)
  call.params = values
  call.ignored = ignored
  return next(call)
}

const read = ({ endpoint, request }: RunningCall) => {
  try {
    return readParams(endpoint, request)
  } catch (error) {
    throw error instanceof ApiError ? error.asFinal() : error
  }
}
