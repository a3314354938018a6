/** The handler of the endpoint, and the reply of what it returns. */
import { toJsonText } from '../../domain/protocol/raw-json.js'
import type { MaybePromise } from '../../store/log/maybe-promise.js'
import { PendingAnswer } from '../contract/pending-answer.js'
import { requirePermission } from './check-access.js'
import { type Answer, type Call, type Endpoint, streaming } from './endpoint.js'
import { composeSuccess, type Reply } from './envelope.js'
import { findContractViolation } from './response-contract.js'
import { type Outcome, PendingReply, type RunningCall } from './running-call.js'

/** Step, the last one: checks the declared permission, and runs the handler. */
export const handle = (running: RunningCall): MaybePromise<Outcome> => {
  requirePermission(running)
  const handled = running.endpoint.handle(composeCall(running), running.http?.exchange)
  return handled instanceof Promise ? composeLater(running, handled) : composeOutcome(running, handled)
}

/** The call as its handler gets it. */
export const composeCall = (running: RunningCall): Call => {
  const { parts, caller, realm, write, params, request, prepared } = running
  const state = realm?.state
  return { app: parts.app, caller, realm, state, write, params, request, prepared, spending: running } as Call
}

const composeLater = async (call: RunningCall, handled: Promise<Answer>): Promise<Outcome> =>
  composeOutcome(call, await handled)

const composeOutcome = (call: RunningCall, answer: Answer): Outcome => {
  if (answer === streaming) return undefined
  if (answer instanceof PendingAnswer) return new PendingReply(answer, call.ignored)
  return composeReply(call, answer, call.ignored)
}

/**
 * Composes the reply of an answer. Throws an Error, with NODE_ENV=test only, if the answer is not what the endpoint
 * declares.
 */
export const composeReply = (call: RunningCall, answer: object, ignored: readonly string[]): Reply => {
  const { parts, endpoint, key } = call
  if (parts.app.config.NODE_ENV === 'test') checkContract(endpoint, answer)
  if (key !== undefined) key.answer = toJsonText(answer)
  return composeSuccess(answer, ignored)
}

const checkContract = (endpoint: Endpoint, answer: object): void => {
  const fault = findContractViolation(endpoint, JSON.parse(toJsonText(answer)))
  if (fault !== undefined) throw new Error(`${endpoint.paths[0]} does not answer as it declares:\n${fault}`)
}
