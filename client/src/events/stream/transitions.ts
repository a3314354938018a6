/**
 * Which state of a stream follows on an event.
 *
 * | state | event | next state |
 * | --- | --- | --- |
 * | registering | registered | continue, or withoutEvents if the answer names no queue |
 * | registering | registrationFailed | waitingForAttempt, or closed if another attempt would fail too |
 * | reading, following | connectionEnded | waitingForAttempt; registering if the queue is gone; closed if refused |
 * | reading, following | interrupted | continue |
 * | waitingForAttempt | attemptDue | registering if there is no queue, else continue |
 * | waitingForReader | readerTook | continue |
 *
 * `continue` is waitingForReader, following or reading: the first of them whose condition holds. A call of `close` ends
 * each state, and none follows.
 */
import { ApiError, ConnectionError } from '../../kernel/errors.js'
import { backoff } from '../backoff.js'
import { type End, LASTING_MS } from '../connection.js'
import type { State, StreamEvent } from './states.js'
import { FIRST_RETRY_MS, isFollowing, MAX_WAITING, type Stream } from './stream.js'

/** Finds the next state. Notes in the stream how its attempts fare. */
export const findNextState = (stream: Stream, event: StreamEvent): State => {
  switch (event.name) {
    case 'registered':
      return stream.cursor === undefined ? { name: 'withoutEvents' } : continueStream(stream)
    case 'registrationFailed':
      return retryRegistration(stream, event.error)
    case 'connectionEnded':
      noteConnection(stream, event.workedMs)
      return reconnect(stream, event.end, event.workedMs)
    case 'interrupted':
      noteConnection(stream, event.workedMs)
      return continueStream(stream)
    case 'attemptDue':
    case 'readerTook':
      return continueStream(stream)
  }
}

const continueStream = (stream: Stream): State => {
  const { cursor, mailbox } = stream
  if (cursor === undefined) return { name: 'registering' }
  if (mailbox.size > MAX_WAITING) return { name: 'waitingForReader' }
  return { name: isFollowing(stream) ? 'following' : 'reading', after: cursor }
}

const noteConnection = (stream: Stream, workedMs = 0): void => {
  if (workedMs < LASTING_MS) return
  stream.failures = 0
  if (!stream.route.isFallback) stream.retryPreferredMs = FIRST_RETRY_MS
}

const reconnect = (stream: Stream, end: End, workedMs: number | undefined): State => {
  if (end.kind === 'refused') return { name: 'closed', error: end.error }
  const { route } = stream
  stream.failures += 1
  if (end.kind === 'queueGone') {
    stream.cursor = undefined
    // A server that loses every new queue at once must not be asked for one without a pause.
    return stream.failures > 1 ? wait(backoff(stream.failures), 'The event queue is gone.') : { name: 'registering' }
  }
  if (end.kind === 'blocked') route.block()
  else if (workedMs === undefined) route.skip()
  else route.leave(workedMs)
  return wait(backoff(stream.failures, end.retryAfter, end.isBroken), end.reason)
}

const retryRegistration = (stream: Stream, error: unknown): State => {
  const mayPass = error instanceof ConnectionError || (error instanceof ApiError && isTemporary(error))
  if (!mayPass) return { name: 'closed', error }
  stream.failures += 1
  stream.route.skip()
  return wait(backoff(stream.failures, error instanceof ApiError ? error.retryAfter : 0), error.message)
}

const wait = (milliseconds: number, reason: string): State => ({ name: 'waitingForAttempt', milliseconds, reason })

/** Whether the same request may succeed later. */
const isTemporary = ({ status }: ApiError): boolean => status === 429 || status >= 500
