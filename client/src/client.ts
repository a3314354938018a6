/** A client of one organization: calls, uploads and events. */

import { type CallOptions, openCalls } from './calls.js'
import type { Connect, Transport } from './events/connection.js'
import { connectPoll } from './events/poll.js'
import { connectSse } from './events/sse.js'
import { type EventStream, openEventStream } from './events/stream/event-stream.js'
import type { EventsOptions, StreamContext } from './events/stream/stream.js'
import { createConnectWebSocket, type SocketClass } from './events/websocket.js'
import type { Operation, OperationWithoutParams, Params, Result } from './kernel/api.js'
import type { Credentials } from './kernel/credentials.js'
import { openHttp } from './kernel/http.js'
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

export interface Client {
  /**
   * Makes a call, over the socket of the events if one is open, else over HTTP. Throws ApiError when the server refuses
   * it, ConnectionError when there is no answer, and its subclass TimeoutError when there is none in time. What only
   * reads is tried again first. Throws TypeError when a parameter of the path is missing.
   */
  call<O extends OperationWithoutParams>(operation: O, params?: Params<O>, options?: CallOptions): Promise<Result<O>>
  call<O extends Operation>(operation: O, params: Params<O>, options?: CallOptions): Promise<Result<O>>
  /**
   * Registers for events, and reads them until the stream is closed. Throws TypeError when none of the transports can
   * be used here.
   */
  events(options?: EventsOptions): EventStream
  /** Uploads a file, and returns its address. Throws ApiError, ConnectionError, and the reason of the signal. */
  upload(file: Blob & { readonly name?: string }, options?: UploadOptions): Promise<Uploaded>
  /** The addresses of the gateways, without a slash at the end. */
  readonly gateways: readonly string[]
  readonly credentials: Credentials
}

/** Creates a client, which connects when it is used. Throws TypeError without the address of a gateway. */
export const createClient = (options: ClientOptions): Client => {
  const { credentials, timeout } = options
  const ownFetch = options.fetch ?? globalThis.fetch.bind(globalThis)
  const gateways = (typeof options.url === 'string' ? [options.url] : options.url).map((url) => url.replace(/\/+$/, ''))
  if (gateways.length === 0) throw new TypeError('A client needs the address of a gateway.')
  const http = openHttp(credentials, ownFetch)
  const calls = openCalls(http, gateways, timeout)
  const SocketClass = options.WebSocket ?? (globalThis as { WebSocket?: SocketClass }).WebSocket
  const transports: Partial<Record<Transport, Connect>> = { sse: connectSse, poll: connectPoll }
  if (SocketClass !== undefined) transports.websocket = createConnectWebSocket(SocketClass)
  const context: StreamContext = { http, gateways, transports, onPort: calls.usePort }
  return {
    call: calls.call as Client['call'],
    events: (eventsOptions = {}) => openEventStream(context, eventsOptions),
    upload: (file, uploadOptions = {}) => uploadFile(http, calls.gateway, file, uploadOptions),
    gateways,
    credentials,
  }
}
