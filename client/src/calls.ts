/**
 * The way of a call: over the open socket of the events, else over HTTP to the gateway that answered last.
 *
 * 1. A call without an answer is sent to one gateway after the other until one answers. One that changes something is
 *    sent at least twice, also to the only gateway: a broken connection is rarely broken twice.
 * 2. A call that changes something has a key, so it happens once, and an attempt that repeats it gets the first answer.
 *    Calls of sessions have none: they are sent again only if they certainly had no effect.
 * 3. The attempts of a call that changes something take together no longer than one: its user waits for it.
 */
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
  /** the index of the gateway that answered last */
  let current = 0

  /** From now on, calls over HTTP are sent to another gateway than this one. */
  const leaveGateway = (gateway: string): void => {
    if (gateways[current] === gateway) current = (current + 1) % gateways.length
  }

  /** @param last when the last attempt of a call that changes something ends, as performance.now() (3) */
  const callOverHttp = async (request: Request, timeout: number, last: number): Promise<Values> => {
    for (let attempt = 1; ; attempt++) {
      const gateway = gateways[current] as string
      const limit = request.method === 'GET' ? timeout : Math.max(0, last - performance.now())
      try {
        return await limitTime(limit, request, (limited) => http.call(gateway, limited))
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error
        leaveGateway(gateway)
        const isRepeated = attempt === 1 && request.isRepeatable === true && !(error instanceof TimeoutError)
        const isLast = attempt >= gateways.length || (request.method !== 'GET' && request.isRepeatable !== true)
        if (isLast && !isRepeated) throw error
      }
    }
  }

  const send = async (request: Request, over: CallOptions['over'], timeout: number): Promise<Values> => {
    request.signal?.throwIfAborted()
    const socket = over === 'http' ? undefined : port
    const last = performance.now() + timeout
    if (socket === undefined) return callOverHttp(request, timeout, last)
    try {
      const answer = await limitTime(timeout, request, async (limited) => socket.call(limited))
      if (answer !== undefined) return answer
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      leaveGateway(socket.gateway)
      if (request.method !== 'GET' && error instanceof TimeoutError) throw error
      if (request.method !== 'GET' && request.isRepeatable !== true && !error.hadNoEffect) throw error
    }
    return callOverHttp(request, timeout, last)
  }

  return {
    get gateway() {
      return gateways[current] as string
    },
    async call(operation, params = {}, { signal, over, timeout = defaultTimeout } = {}) {
      const begins = operation === 'POST /sessions' || operation === 'POST /sessions/demo'
      // A socket cannot set the cookie of a session, and closes with its session.
      const isOfSessions = operation.includes(' /sessions')
      const answer = await send(composeRequest(operation, params, signal), isOfSessions ? 'http' : over, timeout)
      if (begins) http.setCsrfToken(answer.csrf_token as string)
      if (operation === 'DELETE /sessions/current') http.setCsrfToken(undefined)
      return answer
    },
    usePort(next) {
      if (next === undefined && port !== undefined) leaveGateway(port.gateway)
      port = next
    },
  }
}
