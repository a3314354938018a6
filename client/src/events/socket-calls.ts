/**
 * The calls over one socket that have no answer yet.
 *
 * A call has a number of its own, `req`. Answers arrive in any order.
 */
import { ApiError, ConnectionError } from '../kernel/errors.js'
import { type Request, readAnswer, type Values } from '../kernel/http.js'
import { createDeferred, type Deferred } from './deferred.js'

/** The calls over one socket. */
export interface SocketCalls {
  /** how many calls have no answer */
  readonly size: number
  /** the error of the frame with the number 0: the gateway refused the connection */
  readonly refusal: ApiError | undefined
  /** Sends a call. Returns undefined when it cannot be sent over this socket, and was not. */
  call(request: Request): Promise<Values> | undefined
  /** Sends a small call whose answer nobody awaits: it shows that the socket works. */
  probe(): void
  receiveAnswer(req: unknown, status: number, body: Values): void
  /** The gateway takes no more calls: further ones fail without an effect. */
  refuseMore(): void
  /** Fails all calls, because the socket has ended. @param how what happened to it */
  failAll(how: string, hadNoEffect: boolean): void
}

/** What a socket does for its calls. */
export interface CallListener {
  /** Whether the socket can send: it can be closed already while its `close` event has not come. */
  isOpen(): boolean
  send(frame: string): void
  /** A call has no answer for ASK_MS. */
  onLate(): void
  /** A call was given up by its caller. */
  onAbort(): void
}

/** The gateway closes a socket with too many waiting calls. Further calls are sent over HTTP. */
const MAX_UNANSWERED = 64

const ASK_MS = 8_000

/** The gateway closes a socket on which a longer frame arrives (docs/clients.md). Such a call is sent over HTTP. */
const MAX_FRAME_BYTES = 1024 * 1024

/** A character of a string is at most three bytes of UTF-8. */
const isTooLarge = (text: string): boolean =>
  text.length * 3 > MAX_FRAME_BYTES && new TextEncoder().encode(text).length > MAX_FRAME_BYTES

/** A call whose answer has not arrived. */
type Unanswered = Deferred<Values>

/** Opens the calls of a socket. */
export const openSocketCalls = ({ isOpen, send, onLate, onAbort }: CallListener): SocketCalls => {
  const unanswered = new Map<number, Unanswered>()
  let state: 'open' | 'closing' | 'ended' = 'open'
  let lastRequest = 0
  let refusal: ApiError | undefined
  return {
    get size() {
      return unanswered.size
    },
    get refusal() {
      return refusal
    },
    call({ method, path, values, key, signal }) {
      if (state === 'closing') {
        return Promise.reject(new ConnectionError('The gateway closes the socket.', { hadNoEffect: true }))
      }
      if (state === 'ended' || !isOpen() || unanswered.size >= MAX_UNANSWERED) return undefined
      const req = lastRequest + 1
      const frame = JSON.stringify({ req, method, path, params: values, idempotency_key: key })
      if (isTooLarge(frame)) return undefined
      lastRequest = req
      if (signal?.aborted) return Promise.reject(signal.reason)
      const abort = () => {
        unanswered.delete(req)
        onAbort()
      }
      const call = openCall(signal, onLate, abort)
      unanswered.set(req, call)
      send(frame)
      return call.promise
    },
    probe: () =>
      isOpen() && send(JSON.stringify({ req: ++lastRequest, method: 'GET', path: '/server_settings', params: {} })),
    receiveAnswer(req, status, body) {
      if (req === 0) {
        refusal = new ApiError(status, body)
        return
      }
      const call = unanswered.get(req as number)
      unanswered.delete(req as number)
      try {
        call?.resolve(readAnswer(status, body))
      } catch (error) {
        call?.reject(error)
      }
    },
    refuseMore() {
      state = 'closing'
    },
    failAll(how, hadNoEffect) {
      state = 'ended'
      for (const { reject } of unanswered.values()) {
        reject(new ConnectionError(`The socket ${how} before the answer.`, { hadNoEffect }))
      }
      unanswered.clear()
    },
  }
}

/** A call that waits for its answer, until its caller aborts it. */
const openCall = (signal: AbortSignal | undefined, onLate: () => void, onAbort: () => void): Unanswered => {
  const answer = createDeferred<Values>()
  const finish = () => {
    clearTimeout(asking)
    signal?.removeEventListener('abort', abort)
  }
  const abort = () => {
    finish()
    answer.reject(signal?.reason)
    onAbort()
  }
  const asking = setTimeout(onLate, ASK_MS)
  signal?.addEventListener('abort', abort)
  return {
    promise: answer.promise,
    resolve(body) {
      finish()
      answer.resolve(body)
    },
    reject(error) {
      finish()
      answer.reject(error)
    },
  }
}
