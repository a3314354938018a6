/** A client of one organization: calls, uploads and events. */

import type { Connect, SocketCaller, Transport } from './events/connection.js'
import { connectPoll } from './events/poll.js'
import { connectSse } from './events/sse.js'
import { type EventStream, openEventStream } from './events/stream/event-stream.js'
import type { EventsOptions } from './events/stream/stream.js'
import { createConnectWebSocket, type SocketClass } from './events/websocket.js'
import type { Operation, OperationWithoutParams, Params, Result } from './kernel/api.js'
import type { Credentials } from './kernel/credentials.js'
import { ConnectionError } from './kernel/errors.js'
import { composeRequest, limitTime, openHttp, type Request, type Values } from './kernel/http.js'
import { type UploadOptions, uploadFile } from './uploads/upload.js'
import type { Uploaded } from './uploads/upload-request.js'

/** Where the organization is, and who calls. */
export interface ClientOptions {
  /** the address of the organization, or those of several gateways that serve it */
  url: string | readonly string[]
  credentials: Credentials
  /** `fetch` of this platform by default */
  fetch?: typeof fetch
  /** how long one attempt of a call may take, in milliseconds; 30,000 by default */
  timeout?: number
  /**
   * `WebSocket` of this platform by default; Node before 22 has none: pass that of the package `ws`, or events use SSE
   */
  WebSocket?: SocketClass
}

/** How one call is made. */
export interface CallOptions {
  /** ends the wait for the answer; the call may take effect nevertheless */
  signal?: AbortSignal
  /** how long one attempt may take, in milliseconds; that of the client by default */
  timeout?: number
  /** `http`: not over an open socket, for example because the answer is large */
  over?: 'http'
}

export interface Client {
  /**
   * Makes a call, over the socket of the events if one is open, else over HTTP. Throws ApiError when the server refuses
   * it, ConnectionError when there is no answer, and its subclass TimeoutError when there is none in time. What only
   * reads is tried again first.
   */
  call<O extends OperationWithoutParams>(operation: O, params?: Params<O>, options?: CallOptions): Promise<Result<O>>
  call<O extends Operation>(operation: O, params: Params<O>, options?: CallOptions): Promise<Result<O>>
  /** Registers for events, and reads them until the stream is closed. */
  events(options?: EventsOptions): EventStream
  /** Uploads a file, and returns its address. */
  upload(file: Blob & { readonly name?: string }, options?: UploadOptions): Promise<Uploaded>
  /** The addresses of the gateways, without a slash at the end. */
  readonly gateways: readonly string[]
  readonly credentials: Credentials
}

const TIMEOUT_MS = 30_000

/** Creates a client. It connects when it is used. */
export const createClient = (options: ClientOptions): Client => {
  const { credentials } = options
  const ownFetch = options.fetch ?? globalThis.fetch.bind(globalThis)
  const gateways = (typeof options.url === 'string' ? [options.url] : options.url).map((url) => url.replace(/\/+$/, ''))
  if (gateways.length === 0) throw new TypeError('A client needs the address of a gateway.')
  const http = openHttp(credentials, ownFetch)
  const SocketClass = options.WebSocket ?? (globalThis as { WebSocket?: SocketClass }).WebSocket
  const transports: Partial<Record<Transport, Connect>> = { sse: connectSse, poll: connectPoll }
  if (SocketClass !== undefined) transports.websocket = createConnectWebSocket(SocketClass)
  let port: SocketCaller | undefined
  /** the gateway that answered last */
  let place = 0

  /** From now on, calls over HTTP are sent to another gateway than this one. */
  const leave = (gateway: string): void => {
    if (gateways[place] === gateway) place = (place + 1) % gateways.length
  }

  /** Sends a call to the gateways in turn. One that changes something is sent again only if it was never received. */
  const callOverHttp = async (request: Request, timeout: number): Promise<Values> => {
    for (let attempt = 1; ; attempt++) {
      const gateway = gateways[place] as string
      try {
        return await limitTime(timeout, request, (limited) => http.call(gateway, limited))
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error
        leave(gateway)
        if (request.method !== 'GET' || attempt >= gateways.length) throw error
      }
    }
  }

  const send = async (request: Request, over: CallOptions['over'], timeout: number): Promise<Values> => {
    request.signal?.throwIfAborted()
    const socket = over === 'http' ? undefined : port
    if (socket === undefined) return callOverHttp(request, timeout)
    try {
      const answer = await limitTime(timeout, request, async (limited) => socket.call(limited))
      if (answer !== undefined) return answer
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      leave(socket.gateway)
      if (request.method !== 'GET' && !error.hadNoEffect) throw error
    }
    return callOverHttp(request, timeout)
  }

  const call = async (
    operation: string,
    params: Values = {},
    { signal, over, timeout = options.timeout ?? TIMEOUT_MS }: CallOptions = {},
  ): Promise<unknown> => {
    const begins = operation === 'POST /sessions' || operation === 'POST /sessions/demo'
    // A socket cannot set the cookie of a session, and closes with its session.
    const isOfSessions = operation.includes(' /sessions')
    const answer = await send(composeRequest(operation, params, signal), isOfSessions ? 'http' : over, timeout)
    if (begins) http.setCsrfToken(answer.csrf_token as string)
    if (operation === 'DELETE /sessions/current') http.setCsrfToken(undefined)
    return answer
  }

  return {
    call: call as Client['call'],
    events: (eventsOptions = {}) =>
      openEventStream(
        {
          http,
          gateways,
          transports,
          onPort(next) {
            if (next === undefined && port !== undefined) leave(port.gateway)
            port = next
          },
        },
        eventsOptions,
      ),
    upload: (file, uploadOptions = {}) => uploadFile(http, gateways[place] as string, file, uploadOptions),
    gateways,
    credentials,
  }
}
