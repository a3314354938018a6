/**
 * The way of a call: over the open socket of the events, else over HTTP to the gateway that answered last.
 *
 * 1. A call without an answer is sent to one gateway after the other until one answers. One that changes something is
 *    sent at least twice, also to the only gateway: a broken connection is rarely broken twice.
 * 2. A call that changes something has a key, so it happens once, and an attempt that repeats it gets the first answer.
 *    Calls of sessions have none: they are sent again only if they certainly had no effect.
 * 3. The attempts of a call that changes something take together no longer than one: its user waits for it.
 */

import { openRotation } from './endpoint-rotation.js'
import type { SocketCaller } from './events/connection.js'
import { ConnectionError, TimeoutError } from './kernel/errors.js'
import { composeRequest, type Http, limitTime, type Request, type Values } from './kernel/http.js'

/** How one call is made. */
export interface CallOptions {
  /** ends the wait for the answer; the call may take effect nevertheless */
  signal?: AbortSignal
  /** how long one attempt may take, in milliseconds; that of the client by default */
  timeout?: number
  /** `http`: not over an open socket, for example because the answer is large */
  over?: 'http'
  /** names the call: a call with the same key and the same parameters happens once, for 24 hours; random by default */
  key?: string
}

/** The calls of a client. */
export interface Calls {
  /** the address of the gateway to which calls over HTTP are sent */
  readonly gateway: string
  call(operation: string, params?: Values, options?: CallOptions): Promise<Values>
  /** From now on, calls are made over this port; undefined: the socket of the port before has ended. */
  usePort(port: SocketCaller | undefined): void
}

const TIMEOUT_MS = 30_000

/** Opens the calls of a client. @param defaultTimeout how long one attempt may take, in milliseconds */
export const openCalls = (http: Http, gateways: readonly string[], defaultTimeout = TIMEOUT_MS): Calls => {
  let port: SocketCaller | undefined
  const rotation = openRotation(http, gateways)

  const send = async (request: Request, over: CallOptions['over'], timeout: number): Promise<Values> => {
    request.signal?.throwIfAborted()
    const socket = over === 'http' ? undefined : port
    const last = performance.now() + timeout
    if (socket === undefined) return rotation.call(request, timeout, last)
    try {
      const answer = await limitTime(timeout, request, async (limited) => socket.call(limited))
      if (answer !== undefined) return answer
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      rotation.leave(socket.gateway)
      if (request.method !== 'GET' && error instanceof TimeoutError) throw error
      if (request.method !== 'GET' && request.isRepeatable !== true && !error.hadNoEffect) throw error
    }
    return rotation.call(request, timeout, last)
  }

  return {
    get gateway() {
      return rotation.gateway
    },
    async call(operation, params = {}, { signal, over, key, timeout = defaultTimeout } = {}) {
      const begins = operation === 'POST /sessions' || operation === 'POST /sessions/demo'
      // A socket cannot set the cookie of a session, and closes with its session.
      const isOfSessions = operation.includes(' /sessions')
      const composed = composeRequest(operation, params, signal)
      const request = key === undefined ? composed : { ...composed, key }
      const answer = await send(request, isOfSessions ? 'http' : over, timeout)
      if (begins) http.setCsrfToken(answer.csrf_token as string)
      if (operation === 'DELETE /sessions/current') http.setCsrfToken(undefined)
      return answer
    },
    usePort(next) {
      if (next === undefined && port !== undefined) rotation.leave(port.gateway)
      port = next
    },
  }
}
