/**
 * Calls that a client may repeat: a call with an `Idempotency-Key` happens once, and each repetition of it gets the
 * answer of the first (protocol/endpoints.md 0.1, store/log/call-key.ts).
 *
 * 1. The commit of the call stores the answer. A call that commits nothing by itself stores its answer when it is done:
 *    what it does has no effect twice, or is a message of a bot (reports, tests of the welcome).
 * 2. The answer is looked up before the call, and again when the call was refused or its state was stale: the first
 *    call may have been committed meanwhile.
 * 3. A refusal is not stored: its client corrects the call, and may use the key again.
 * 4. What a call asks for is compared as its parameters were read: a call can be repeated over another transport.
 * 5. The endpoint that sends messages keeps keys by itself, in the statement that stores the message. What is called
 *    often and sets a value (flags, presence, typing), registers a queue or changes nothing keeps none.
 */
import { ApiError, errors } from '../../domain/protocol/errors.js'
import { rawText } from '../../domain/protocol/raw-json.js'
import {
  CallKey,
  composeEmptyAnswer,
  correctAnswer,
  loadAnswer,
  RepeatedCallError,
  storeAnswer,
} from '../../store/log/call-key.js'
import { hashToUuid } from '../../store/log/hash-to-uuid.js'
import { StaleStateError } from '../../store/log/log.js'
import type { MaybePromise } from '../../store/log/maybe-promise.js'
import type { Realm } from '../../store/log/realm.js'
import type { CallRequest } from '../contract/call-request.js'
import { readAck } from './acknowledge.js'
import { composeSuccess } from './envelope.js'
import { type Next, type Outcome, PendingReply, type RunningCall } from './running-call.js'

/** The longest key. */
export const MAX_KEY_LENGTH = 255

/** The key that the client has chosen for its call. Throws a BAD_REQUEST if it is too long. */
export const readIdempotencyKey = ({ idempotencyKey }: CallRequest): string | undefined => {
  if (idempotencyKey.length > MAX_KEY_LENGTH) {
    const values = { max: MAX_KEY_LENGTH }
    throw errors.badRequest('An idempotency key has at most {max} characters: send a shorter one.', values)
  }
  return idempotencyKey === '' ? undefined : idempotencyKey
}

/** Step: runs the following steps once for each key. Throws IDEMPOTENCY_KEY_REUSED, and StaleStateError. */
export const once = (call: RunningCall, next: Next): MaybePromise<Outcome> => {
  const { endpoint, request, caller, write } = call
  if (request.idempotencyKey === '' || caller === undefined || write === undefined) return next(call)
  if (endpoint.method === 'GET' || endpoint.streams || endpoint.ignoresKeys === true) return next(call)
  const named = readIdempotencyKey(request)
  const requests = caller.realm.state.deployment.keys.requestDigests(describeRequest(call))
  const key = new CallKey(caller.id, hashToUuid(`named ${named}`), requests)
  call.key = key
  if (endpoint.commitsInParts !== true) call.write = write.withAnswerKey({ key, compose: composeEmptyAnswer })
  return runOnce(call, caller.realm, key, next)
}

const runOnce = async (call: RunningCall, realm: Realm, key: CallKey, next: Next): Promise<Outcome> => {
  const { sql } = call.parts.dependencies
  const earlier = await loadAnswer(sql, realm, key)
  if (earlier !== undefined) return composeSuccess(rawText(earlier), call.ignored)
  let outcome: Outcome
  try {
    outcome = await next(call)
  } catch (error) {
    const mayBeRepeated =
      error instanceof ApiError || error instanceof StaleStateError || error instanceof RepeatedCallError
    const first = mayBeRepeated ? await loadAnswer(sql, realm, key) : undefined
    // Committed, and gone: its time is over.
    if (first === undefined) throw error instanceof RepeatedCallError ? new StaleStateError() : error
    return composeSuccess(rawText(first), call.ignored)
  }
  if (outcome === undefined || outcome instanceof PendingReply || key.answer === undefined) return outcome
  if (key.stored === undefined) {
    const first = await storeAnswer(sql, realm, key, key.answer)
    return first === key.answer ? outcome : composeSuccess(rawText(first), call.ignored)
  }
  if (key.stored !== key.answer) {
    if (call.parts.app.config.NODE_ENV === 'test') checkStored(call, key)
    await correctAnswer(sql, realm, key, key.answer)
  }
  return outcome
}

/** Throws an Error if the commit has not stored what the handler answers: the answer is lost if the process dies. */
const checkStored = ({ endpoint }: RunningCall, { stored, answer, commits }: CallKey): void => {
  const name = `${endpoint.method} ${endpoint.paths[0]}`
  if (commits > 1) throw new Error(`${name} has ${commits} commits: declare commitsInParts`)
  throw new Error(`${name} answers ${answer}, and its commit stored ${stored}: use write.answering`)
}

/**
 * What a call asks for: its endpoint, its parameters with those of its path, its files, and the event that it answers
 * (4).
 */
const describeRequest = ({ endpoint, params, request }: RunningCall): string => {
  const ack = readAck(request)?.event_id
  const files = request.files.map(({ field, filename, data }) => [field, filename, data.length])
  const asked = [endpoint.method, endpoint.paths[0], params, files]
  return JSON.stringify(ack === undefined ? asked : [...asked, { ack }])
}
