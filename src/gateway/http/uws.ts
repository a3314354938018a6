/**
 * uWebSockets: bytes in, bytes out. The only file beside upgrade-workaround.ts that imports the library, which demands:
 *
 * 1. `req` is gone when the callback returns: what is needed of it is copied before anything is awaited.
 * 2. `res` is gone once it was aborted or ended: native-exchange.ts looks before it writes, and corks what it writes.
 * 3. A received buffer is emptied when its callback returns: see request-body.ts for bodies; frames are decoded at once.
 *
 * What it cannot be told: a request line and headers of more than 4 KiB are taken only when they arrive in one piece,
 * and else cut without an answer. A call that long goes as a POST with `method=GET` in its form, or over a socket.
 *
 * A socket's unsent messages are bounded by MOST_UNSENT: beyond it the socket is cut, and its client resumes from its
 * last event id.
 */

import uWS, { type HttpRequest, type HttpResponse, type us_listen_socket } from 'uWebSockets.js'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type ClientAddress, clientAddress } from '../../domain/net/addresses.js'
import { ApiError, type Close, errors } from '../../domain/protocol/errors.js'
import type { App } from './app.js'
import { type Body, emptyFields, readBody, readForm } from './decode-form.js'
import { allowedMethods, apiPath, type Dispatch, type Head, type Place, type Routes, tidied } from './dispatch.js'
import { failure, type Reply } from './envelope.js'
import { NativeExchange, type Pending, type RequestTraits } from './native-exchange.js'
import { defaultRule, receive } from './request-body.js'
import type { Page } from './site-page.js'
import { type Handshake, type Headers, type Socket, type SocketHandlers, streamHeaders } from './transport.js'
import { type Aside, openAside } from './upgrade-workaround.js'

const MOST_FRAME = 1024 * 1024
const MOST_UNSENT = 4 * 1024 * 1024
/** Seconds without a sign of life until a socket counts as dead; the library pings in time. */
const IDLE_SECONDS = 120
/** Compressing less than this costs more than sending it. */
const GZIP_FROM = 8 * 1024
const PROTOCOL = 'parley.v1'

export interface Server {
  readonly port: number
  /** Sends the same bytes to every socket of a topic. */
  publish(topic: string, message: string | Uint8Array): boolean
  /** Takes no more connections; whoever is still connected is told to leave with their next answer. */
  stopAccepting(): void
  /** Resolves when no request is waiting for its answer. */
  idle(): Promise<void>
}

interface Serving {
  dispatch: Dispatch
  pending: Pending
  config: App['config']
  log: App['log']
  /** undefined: nobody stands between */
  clientAddress: ClientAddress | undefined
  aside: Aside
}

/** Refuses to go on where the library fell back to its slow imitation, which it does without an error. */
export const requireNative = (): void => {
  if (/\[native code\]/.test(Function.prototype.toString.call(uWS.App))) return
  throw new Error(
    `uWebSockets.js has no native build for ${process.platform}-${process.arch} with Node ${process.versions.node}. ` +
      'Use Node 20 on Linux (glibc 2.27 or newer), macOS or Windows, or install another build of uWebSockets.js.',
  )
}

/** What the library has and its types lack. Without the option a second process shares the port in silence. */
const { LIBUS_LISTEN_EXCLUSIVE_PORT } = uWS as unknown as { LIBUS_LISTEN_EXCLUSIVE_PORT: number }
type ListenWithOptions = (
  host: string,
  port: number,
  options: number,
  cb: (s: us_listen_socket | false) => void,
) => void

/** Listens, and serves until stopped. Throws when the address cannot be bound. */
export const serve = async <Data extends object>(
  app: Pick<App, 'config' | 'log'>,
  dispatch: Dispatch,
  sockets?: SocketHandlers<Data>,
): Promise<Server> => {
  requireNative()
  const native = uWS.App()
  const { pending, idle } = openPending()
  const { HOST, PORT, TRUSTED_PROXIES } = app.config
  const serving: Serving = {
    dispatch,
    pending,
    config: app.config,
    log: app.log,
    clientAddress: TRUSTED_PROXIES.length === 0 ? undefined : clientAddress(TRUSTED_PROXIES),
    aside: await openAside(),
  }
  native.any('/*', (res, req) => serveRequest(res, req, serving))
  if (sockets !== undefined) native.ws('/*', socketBehavior(sockets, serving))
  const listening = await new Promise<us_listen_socket | false>((resolve) =>
    (native.listen as unknown as ListenWithOptions)(HOST, PORT, LIBUS_LISTEN_EXCLUSIVE_PORT, resolve),
  )
  if (listening === false) throw new Error(`cannot listen on ${HOST}:${PORT}: is the port taken?`)
  return {
    port: uWS.us_socket_local_port(listening),
    publish: (topic, message) => native.publish(topic, message),
    stopAccepting() {
      uWS.us_listen_socket_close(listening)
      pending.closing = true
    },
    idle,
  }
}

const serveRequest = (res: HttpResponse, req: HttpRequest, serving: Serving) => {
  const { dispatch, pending, log } = serving
  const method = req.getCaseSensitiveMethod()
  const path = req.getUrl()
  const place = dispatch.at(path)
  const exchange = new NativeExchange(res, traitsOf(req, method, place, serving), pending)
  const isGzipWelcome = req.getHeader('accept-encoding').includes('gzip')
  const send = (reply: Reply | undefined) => {
    if (reply !== undefined) sendReply(exchange, reply, isGzipWelcome)
  }
  const fail = (error: unknown) => {
    log.error({ err: error, method, path }, 'a request failed')
    send(failure(errors.internal()))
  }
  if (place === undefined) return send(failure(errors.unknownPath({ path })))
  if ('page' in place) return servePage(place.page, method, exchange, fail)
  const { match } = place
  if (method === 'OPTIONS') return exchange.reply(204, optionsHeaders(match, serving.config), '')
  const head: Head = {
    method,
    query: req.getQuery() ?? '',
    host: req.getHeader('host'),
    authorization: req.getHeader('authorization'),
    userAgent: req.getHeader('user-agent'),
  }
  const answer = (body: Body | undefined) => {
    dispatch.answer(match, head, body, exchange).then(send, fail)
  }
  const contentType = req.getHeader('content-type')
  // Most requests are this one: a GET with a form in its body says so in its Content-Type.
  if (method === 'GET' && contentType === '') return answer(undefined)
  const { body = defaultRule } = match.values.get(method)?.value.endpoint ?? {}
  const rule = typeof body === 'function' ? body(serving.config) : body
  receive(
    res,
    rule,
    (listener) => exchange.onAborted(listener),
    (bytes) => {
      if (bytes === undefined) return exchange.cut()
      if (bytes instanceof ApiError) return send(failure(bytes))
      let body: Body
      try {
        body = rule.isRaw === true ? rawBody(bytes, contentType) : readBody(bytes, contentType, uWS.getParts)
      } catch (error) {
        return error instanceof ApiError ? send(failure(error)) : fail(error)
      }
      answer(body)
    },
  )
}

/** Copied: the bytes are gone when the callback returns. */
const rawBody = (bytes: Uint8Array, type: string): Body => ({
  fields: emptyFields(),
  files: [{ field: '', filename: '', type, data: Buffer.from(bytes) }],
})

const traitsOf = (req: HttpRequest, method: string, place: Place | undefined, serving: Serving): RequestTraits => {
  const streams = place !== undefined && 'match' in place && hasStreams(place.match)
  const copied: Readonly<Record<string, string>> = streams
    ? Object.fromEntries(streamHeaders.map((name) => [name, req.getHeader(name)]))
    : noHeaders
  return {
    isHead: method === 'HEAD',
    isCrossOrigin: req.getHeader('origin') !== '',
    header: (name) => copied[name] ?? '',
    addressBehind: addressBehind(req, serving),
  }
}

const hasStreams = ({ values }: Routes): boolean => {
  for (const { value } of values.values()) if (value.endpoint.streams) return true
  return false
}

const plain = (peer: string) => peer

/** What proxies wrote is copied now, for when it is asked for: `req` will be gone then (1). */
const addressBehind = (req: HttpRequest, { clientAddress }: Serving): RequestTraits['addressBehind'] => {
  if (clientAddress === undefined) return plain
  const forwardedFor: string[] = []
  let realIp = ''
  // `getHeader` would tell the first line of a name only, and that one may be the client's own.
  req.forEach((name, value) => {
    if (name === 'x-forwarded-for') forwardedFor.push(value)
    else if (name === 'x-real-ip') realIp = value
  })
  return (peer) => clientAddress(peer, { forwardedFor, realIp })
}

const noHeaders = {}

const servePage = (page: Page, method: string, exchange: NativeExchange, fail: (error: unknown) => void): void => {
  if (method === 'GET' || method === 'HEAD') {
    const served = (async () => page.serve())()
    served.then(({ status, headers, body }) => exchange.reply(status, headers, body)).catch(fail)
  } else {
    const { status, text, headers } = failure(errors.methodNotAllowed({ allowed_methods: ['GET', 'HEAD'] }))
    exchange.reply(status, { ...jsonHeaders, ...headers }, text)
  }
}

const compressed = promisify(gzip)

/** No cache may keep an answer, shared or private: it was for this caller at this moment. */
const jsonHeaders: Headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'max-age=0, no-cache, no-store, must-revalidate, private',
}

const sendReply = (exchange: NativeExchange, { status, text, headers }: Reply, isGzipWelcome: boolean) => {
  const all = headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers }
  if (!isGzipWelcome || text.length < GZIP_FROM) return exchange.reply(status, all, text)
  compressed(text).then(
    (bytes) => exchange.reply(status, { ...all, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' }, bytes),
    () => exchange.reply(status, all, text),
  )
}

const allowedHeaders =
  'Authorization, Content-Type, Last-Event-ID, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset'

const optionsHeaders = ({ values }: Routes, config: App['config']): Headers => {
  const methods = [...allowedMethods(values), 'OPTIONS'].join(', ')
  const announced = Object.assign({}, ...[...values.values()].map(({ value }) => value.endpoint.announces?.(config)))
  return {
    Allow: methods,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': allowedHeaders,
    'Access-Control-Max-Age': '86400',
    ...announced,
  }
}

const openPending = () => {
  let count = 0
  const waiting: (() => void)[] = []
  const pending: Pending = {
    closing: false,
    begin() {
      count += 1
    },
    end() {
      count -= 1
      if (count === 0) for (const resolve of waiting.splice(0)) resolve()
    },
  }
  const idle = () => (count === 0 ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve)))
  return { pending, idle }
}

/** A socket that was accepted only to be told why it must go: browsers cannot read a refused handshake. */
interface Parting {
  parting: Close
}

const partingOf = (socket: Socket<unknown>): Close | undefined => (socket.getUserData() as Partial<Parting>).parting

const socketBehavior = <Data extends object>(handlers: SocketHandlers<Data>, serving: Serving) => ({
  maxPayloadLength: MOST_FRAME,
  maxBackpressure: MOST_UNSENT,
  closeOnBackpressureLimit: 1,
  idleTimeout: IDLE_SECONDS,
  sendPingsAutomatically: true,
  compression: uWS.DISABLED,

  upgrade(res: HttpResponse, req: HttpRequest, context: Parameters<HttpResponse['upgrade']>[4]) {
    const path = req.getUrl()
    const traits = { isHead: false, isCrossOrigin: false, header: () => '', addressBehind: addressBehind(req, serving) }
    const exchange = new NativeExchange(res, traits, serving.pending)
    const refuse = (error: ApiError) => {
      const { status, text, headers } = failure(error)
      exchange.reply(status, { ...jsonHeaders, ...headers }, text)
    }
    if (apiPath(tidied(path)) !== handlers.path) return refuse(errors.unknownPath({ path }))
    const offered = req.getHeader('sec-websocket-protocol').split(/\s*,\s*/)
    const key = req.getHeader('sec-websocket-key')
    const extensions = req.getHeader('sec-websocket-extensions')
    const handshake = handshakeOf(req, exchange, offered)
    handlers.upgrade(handshake).then(
      (verdict) => {
        if (!exchange.isOpen) return
        if ('status' in verdict) return exchange.reply(verdict.status, jsonHeaders, verdict.body)
        const data: Data | Parting = 'accept' in verdict ? verdict.accept : { parting: verdict.close }
        exchange.handOver()
        serving.aside(() => res.upgrade(data, key, offered.includes(PROTOCOL) ? PROTOCOL : '', extensions, context))
      },
      (error: unknown) => {
        if (error instanceof ApiError) return refuse(error)
        serving.log.error({ err: error, path }, 'a handshake failed')
        refuse(errors.internal())
      },
    )
  },

  open(socket: Socket<Data>): void {
    const parting = partingOf(socket)
    if (parting === undefined) handlers.open(socket)
    else socket.end(parting.code, parting.reason)
  },
  message(socket: Socket<Data>, message: ArrayBuffer, isBinary: boolean): void {
    if (partingOf(socket) === undefined) handlers.message(socket, message, isBinary)
  },
  drain(socket: Socket<Data>): void {
    if (partingOf(socket) === undefined) handlers.drain(socket)
  },
  close(socket: Socket<Data>, code: number): void {
    if (partingOf(socket) === undefined) handlers.close(socket, code)
  },
})

const handshakeOf = (req: HttpRequest, exchange: NativeExchange, offered: readonly string[]): Handshake => {
  const query = req.getQuery() ?? ''
  const credentials = offered.find((protocol) => protocol.startsWith('basic.'))?.slice('basic.'.length)
  return {
    host: req.getHeader('host'),
    ip: exchange.remoteAddress,
    userAgent: req.getHeader('user-agent'),
    authorization: req.getHeader('authorization') || (credentials === undefined ? '' : `Basic ${credentials}`),
    fields: readForm(query ?? ''),
    get aborted() {
      return exchange.aborted
    },
  }
}
