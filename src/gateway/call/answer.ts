/**
 * The answer of a call: its reply, or the error that a step threw. Each call is reported once, after its last attempt.
 *
 * 1. The turn of a heavy call ends when the handler has answered, or waits.
 * 2. A call whose handler waits is answered when its answer comes. If that says that the state is stale, the call runs
 *    again from its first step.
 */
import type { Texts } from '#rules/texts.js'
import { ApiError, errors } from '../../domain/protocol/errors.js'
import { StaleStateError } from '../../store/log/log.js'
import { isWithoutEffect, returnSpentAllowances } from './allowances.js'
import { countFailure } from './count.js'
import { composeFailure, type Reply } from './envelope.js'
import { failureTexts } from './failure-texts.js'
import { composeReply } from './handle.js'
import { MAX_ATTEMPTS } from './retry-on-conflict.js'
import { forgetAttempt, type Next, type Outcome, PendingReply, type RunningCall } from './running-call.js'
import { composeUnexpectedError, isUnexpected } from './unexpected-error.js'

/**
 * Step, around all others: runs them until the handler is done or waits. The handler is done when it has answered, or
 * taken the exchange.
 */
export const answer = async (call: RunningCall, next: Next): Promise<Reply | undefined> => {
  let outcome: Outcome
  try {
    outcome = await next(call)
  } catch (error) {
    return failCall(call, error)
  } finally {
    call.endTurn?.()
    call.endTurn = undefined
  }
  if (!(outcome instanceof PendingReply)) return finishCall(call, outcome)
  forgetAttempt(call)
  sendWhenSettled(call, next, outcome)
  return undefined
}

/** Sends the answer of a call whose handler waits, when it comes (2). */
const sendWhenSettled = (call: RunningCall, next: Next, { answer: pending, ignored }: PendingReply): void => {
  const send = (reply: Reply | undefined) => call.http?.send(reply)
  const sendPromised = (reply: Promise<Reply | undefined>) =>
    void reply.then(send, (error: unknown) => send(composeFailure(composeUnexpectedError(error), callerTexts(call))))
  pending.whenSettled((settled) => {
    if (settled instanceof StaleStateError) return sendPromised(runAgain(call, next))
    let reply: Reply
    try {
      reply = composeReply(call, settled, ignored)
    } catch (error) {
      return sendPromised(failCall(call, error))
    }
    send(finishCall(call, reply))
  })
}

const runAgain = (call: RunningCall, next: Next): Promise<Reply | undefined> => {
  call.reruns += 1
  return call.reruns === MAX_ATTEMPTS ? failCall(call, errors.notReady()) : answer(call, next)
}

const failCall = async (call: RunningCall, error: unknown): Promise<Reply | undefined> => {
  if (isWithoutEffect(error)) returnSpentAllowances(call)
  const isOfCatalogue = error instanceof ApiError
  const answered = isOfCatalogue ? await countFailure(call.parts, error, call.request) : composeUnexpectedError(error)
  return finishCall(
    call,
    composeFailure(answered, callerTexts(call)),
    isOfCatalogue || !isUnexpected(error) ? undefined : error,
  )
}

const callerTexts = ({ user_id, realm, request }: RunningCall): Texts =>
  failureTexts(user_id === undefined ? undefined : realm?.state.users.get(user_id), request.acceptLanguage)

const finishCall = (call: RunningCall, reply: Reply | undefined, unexpected?: unknown): Reply | undefined => {
  const { parts, name, request, began, trace, user_id } = call
  const status = reply?.status ?? 0
  trace?.end({ 'http.response.status_code': status, 'parley.transport': request.transport })
  const milliseconds = performance.now() - began
  parts.hooks.observe({ name, request, status, milliseconds, refusal: reply?.refusal, user_id, unexpected })
  return reply
}
