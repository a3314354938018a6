/**
 * The HTTP and WebSocket server, on uWebSockets (native-library.ts), which requires:
 *
 * 1. `req` is valid only until the callback returns, so its values are copied before the first await.
 * 2. `res` is valid only until it was aborted or ended: native-exchange.ts checks that before each write, and corks it.
 * 3. A received buffer is detached when its callback returns: see request-body.ts for bodies;
 *    frames are decoded at once.
 *
 * uWebSockets parses requests itself. It refuses a head of more than MAX_HEAD_BYTES (native-library.ts) or 98 fields
 * with 431, in any number of packets. A client sends a call that is longer as a POST with `method=GET` in its form, or
 * over a socket. request-framing.ts refuses bodies of unclear length, which the library accepts. docs/operations.md
 * names what the library does not do, and test/http/parser.test.ts shows it.
 *
 * The unsent messages of a socket are bounded by MAX_UNSENT_BYTES.
 * Beyond it the socket is closed, and its client resumes from its last event id.
 */

import type { HttpRequest, HttpResponse, us_listen_socket } from 'uWebSockets.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { explainListening } from '../../config/listening.js'
import {
  callerNetwork,
  clientAddressFinder,
  type FindClientAddress,
  proxyMatcher,
} from '../../domain/net/client-address.js'
import { ApiError, errors } from '../../domain/protocol/errors.js'
import { hasAttachedCredentials, isForeignOrigin, isFromBrowser } from '../auth/request-origin.js'
import { readSession } from '../auth/session-cookie.js'
import { type DecodedBody, decodeBody, decodeForm, emptyFields } from '../body/decode-form.js'
import { type BodyReceiver, defaultRule, openBodyReceiver, type RefusedRequest } from '../body/request-body.js'
import { composeFailure, jsonHeaders } from '../call/envelope.js'
import { acceptedTexts } from '../call/failure-texts.js'
import { composeUnexpectedError, isUnexpected } from '../call/unexpected-error.js'
import type { App } from '../contract/app.js'
import type { PreAuthentication } from '../contract/call-request.js'
import { acceptsValue } from '../contract/header-values.js'
import {
  type CopiedHeader,
  copiedHeaders,
  type Handshake,
  type Headers,
  type Socket,
  type SocketHandlers,
} from '../contract/transport.js'
import { type OpenRequest, type OpenRequests, openRequestCounter } from '../fairness/open-requests.js'
import type { SitePage } from '../pages/site-page.js'
import {
  allowedMethods,
  collapseSlashes,
  type Dispatch,
  type EndpointMatch,
  type RequestHead,
  type Route,
  stripApiPrefix,
} from './dispatch.js'
import { joinFields, NativeExchange, type PendingResponses, type RequestTraits } from './native-exchange.js'
import { loadNativeLibrary } from './native-library.js'
import { logRefusal } from './refusal-log.js'
import { openRefusedHandshakes, type RejectedSocket } from './refused-handshakes.js'
import { findFramingFault } from './request-framing.js'
import { isHttps, securityHeaders } from './security-headers.js'
import { type AnsweredHead, ServedRequest } from './served-request.js'
import { openUpgradeWorkaround, type RunUpgrade } from './upgrade-workaround.js'

const MEBIBYTE = 1024 * 1024
/**
 * A message beyond it ends the connection without a close frame: uWebSockets sends none for its own limit. So it is
 * above that of a call (sockets/socket-call.ts), whose excess is answered with a code.
 */
const MAX_RECEIVED_MESSAGE_BYTES = 2 * MEBIBYTE
const MAX_UNSENT_BYTES = 4 * 1024 * 1024
/** Seconds without a frame after which a socket is closed. uWebSockets sends pings before. */
const IDLE_TIMEOUT_SECONDS = 120
const SUBPROTOCOL = 'parley.v1'

export interface Server {
  readonly port: number
  /** Sends the same bytes to every socket that is subscribed to a topic. */
  publish(topic: string, message: string | Uint8Array): boolean
  /** The number of sockets that are subscribed to a topic. */
  countSubscribers(topic: string): number
  /** From now on responses have `Connection: close`. */
  announceClose(): void
  /** Accepts no more connections. From now on responses have `Connection: close`. */
  stopAccepting(): void
  /** Resolves when no response has been pending for some milliseconds. */
  idle(milliseconds?: number): Promise<void>
  /** Closes all connections, also the idle ones, which uWebSockets cannot list. */
  close(): void
  /** The bytes of request bodies in memory. */
  bodyBytes(): number
  /** The number of requests and sockets that are open. */
  openRequests(): number
}

interface ServeContext {
  dispatch: Dispatch
  pending: PendingResponses
  bodies: BodyReceiver
  open: OpenRequests
  config: App['config']
  log: App['log']
  /** undefined: no trusted proxies are configured */
  clientAddress: FindClientAddress | undefined
  isTrustedProxy(address: string): boolean
  runUpgrade: RunUpgrade
  rejectHandshake: ReturnType<typeof openRefusedHandshakes>
}

/** This form, with a host name and options, is missing in the types of uWebSockets. */
type ListenWithOptions = (
  host: string,
  port: number,
  options: number,
  cb: (s: us_listen_socket | false) => void,
) => void

/** Listens, and serves until `stopAccepting`. Throws an Error when the address cannot be bound. */
export const serve = async <Data extends object>(
  app: Pick<App, 'config' | 'log'>,
  dispatch: Dispatch,
  sockets?: SocketHandlers<Data>,
): Promise<Server> => {
  const uWS = loadNativeLibrary()
  // The types have it in an enumeration; the library itself has no enumeration.
  const { LIBUS_LISTEN_EXCLUSIVE_PORT } = uWS as unknown as { LIBUS_LISTEN_EXCLUSIVE_PORT: number }
  const native = uWS.App()
  const { HOST, PORT, TRUSTED_PROXIES, MAX_OPEN_REQUESTS_PER_ADDRESS } = app.config
  const open = openRequestCounter(MAX_OPEN_REQUESTS_PER_ADDRESS)
  const { pending, idle } = trackPendingResponses(open, securityHeaders(app.config))
  const serving: ServeContext = {
    dispatch,
    pending,
    open,
    bodies: openBodyReceiver((app.config.MAX_FILE_UPLOAD_SIZE_MIB + 1) * MEBIBYTE),
    config: app.config,
    log: app.log,
    clientAddress: TRUSTED_PROXIES.length === 0 ? undefined : clientAddressFinder(TRUSTED_PROXIES),
    isTrustedProxy: proxyMatcher(TRUSTED_PROXIES),
    runUpgrade: await openUpgradeWorkaround(uWS),
    rejectHandshake: openRefusedHandshakes(IDLE_TIMEOUT_SECONDS),
  }
  native.any('/*', (res, req) => serveRequest(res, req, serving))
  if (sockets !== undefined) native.ws('/*', { ...socketBehavior(sockets, serving), compression: uWS.DISABLED })
  const listening = await new Promise<us_listen_socket | false>((resolve) =>
    // Without this option a second process shares the port without an error.
    (native.listen as unknown as ListenWithOptions)(HOST, PORT, LIBUS_LISTEN_EXCLUSIVE_PORT, resolve),
  )
  if (listening === false)
    throw new Error(await explainListening({ hostVariable: 'HOST', host: HOST, portVariable: 'PORT', port: PORT }))
  return {
    port: uWS.us_socket_local_port(listening),
    publish: (topic, message) => native.publish(topic, message),
    countSubscribers: (topic) => native.numSubscribers(topic),
    announceClose() {
      pending.isDraining = true
    },
    stopAccepting() {
      uWS.us_listen_socket_close(listening)
      pending.isDraining = true
    },
    idle,
    // Missing in the types of uWebSockets.
    close: () => void (native as unknown as { close(): unknown }).close(),
    bodyBytes: () => serving.bodies.held(),
    openRequests: () => open.size,
  }
}

const serveRequest = (res: HttpResponse, req: HttpRequest, serving: ServeContext) => {
  const { dispatch, pending, log, bodies } = serving
  const method = req.getCaseSensitiveMethod()
  const path = req.getUrl()
  const origin = req.getHeader('origin')
  const route = dispatch.findRoute(path)
  const exchange = new NativeExchange(res, copyTraits(req, method, origin, route, serving), pending)
  const authorization = req.getHeader('authorization')
  const answered = {
    method,
    path,
    encodings: req.getHeader('accept-encoding'),
    acceptLanguage: authorization === '' || route === undefined ? req.getHeader('accept-language') : '',
    isBrowser: isFromBrowser(req, origin),
    wantsPage: wantsPage(req, path),
  }
  const served = new ServedRequest(exchange, answered, log)
  // The connection closes if the request has a body: its client does not get the time in which a body is discarded.
  if (!serving.open.begin(exchange)) return served.fail(tooManyOpen())
  const contentType = req.getHeader('content-type')
  // Most requests are a GET without a body. A GET with a form in its body has a Content-Type.
  const isBodyIgnored = method === 'GET' && contentType === ''
  const fault = isBodyIgnored ? undefined : findFramingFault(req)
  if (fault !== undefined) return refuseFraming(served, fault)
  if (route === undefined) return refuseRequest(served, res, req, bodies, errors.unknownPath({ path }))
  if ('page' in route) {
    if (method === 'GET' || method === 'HEAD') return servePage(route.page, served)
    return refuseRequest(served, res, req, bodies, errors.methodNotAllowed({ allowed_methods: ['GET', 'HEAD'] }))
  }
  if (hasAttachedCredentials(req, origin)) return refuseRequest(served, res, req, bodies, errors.foreignPage())
  // The body of a GET is ignored, or a form.
  const coding = isBodyIgnored ? '' : readCoding(req)
  if (coding !== '') {
    return refuseRequest(served, res, req, bodies, errors.unsupportedCoding({ content_encoding: coding }))
  }
  const { match } = route
  if (method === 'OPTIONS') return exchange.reply(204, optionsHeaders(match, serving.config), '')
  const head = copyHead(req, answered, origin, authorization)
  if (isBodyIgnored) {
    void answerCall(served, dispatch, match, head, undefined)
    return
  }
  const { body = defaultRule } = match.values.get(method)?.value.endpoint ?? {}
  const rule = typeof body === 'function' ? body(serving.config) : body
  let preAuthentication: PreAuthentication | undefined
  bodies.receive({
    rule,
    length: readBodyHeaders(req).length,
    address: () => callerNetwork(exchange.remoteAddress),
    async preAuthenticate() {
      preAuthentication = await dispatch.preAuthenticate(match, head, exchange)
      return preAuthentication
    },
    async use(chunks, isLent) {
      // Before the first await, because lent chunks are detached then (3).
      try {
        const body =
          rule.isRaw === true
            ? { fields: emptyFields(), files: [], raw: isLent ? chunks.map((chunk) => Buffer.from(chunk)) : chunks }
            : decodeBody(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks), contentType)
        await answerCall(served, dispatch, match, head, body, preAuthentication)
      } catch (error) {
        served.fail(error)
      }
    },
    ...refusedRequest(served, res),
  })
}

/** The values of a header that may be sent several times, as one list (RFC 9110, 5.3). */
const readList = (req: HttpRequest, name: string): string[] => {
  const values: string[] = []
  req.forEach((key, value) => {
    if (key === name) values.push(...value.split(/\s*,\s*/))
  })
  return values
}

/** The codings of a body, or '' if its bytes are as they are. The library's `getHeader` reads the first header only. */
const readCoding = (req: HttpRequest): string => {
  if (req.getHeader('content-encoding') === '') return ''
  const codings = readList(req, 'content-encoding').filter((coding) => !/^(identity)?$/i.test(coding))
  return codings.join(', ').toLowerCase()
}

/** Whether a browser shows the answer to a person, because it opened an address that is not of the API. */
const wantsPage = (req: HttpRequest, path: string): boolean =>
  stripApiPrefix(path) === undefined && acceptsValue(req.getHeader('accept'), 'text/html')

/** Runs the call of a request, and sends its answer. */
const answerCall = (
  served: ServedRequest,
  dispatch: Dispatch,
  match: EndpointMatch,
  head: RequestHead,
  body: DecodedBody | undefined,
  preAuthentication?: PreAuthentication,
): Promise<void> =>
  dispatch.handle(match, head, body, served, preAuthentication).then(
    (reply) => served.send(reply),
    (error: unknown) => served.fail(error),
  )

/** Refuses a request before its body is read. */
const refuseRequest = (
  served: ServedRequest,
  res: HttpResponse,
  req: HttpRequest,
  bodies: BodyReceiver,
  error: ApiError,
): void => {
  if (readBodyHeaders(req).hasBody) bodies.discard(refusedRequest(served, res), error)
  else served.fail(error)
}

/**
 * Refuses a request whose end is unknown, and closes its connection: what follows may be a part of its body.
 *
 * The answer is sent later, because uWebSockets runs a request that follows in the same packet after an answer. While
 * none was sent, it closes the connection instead.
 */
const refuseFraming = (served: ServedRequest, error: ApiError): void => {
  setImmediate(() => {
    served.refuseBody(error, false)
    served.exchange.closeConnection()
  })
}

const refusedRequest = (served: ServedRequest, native: HttpResponse): RefusedRequest => ({
  native,
  onAborted: (listener) => served.exchange.onAborted(listener),
  disconnect: () => served.exchange.closeConnection(),
  refuse: (error, isReceived) => served.refuseBody(error, isReceived),
})

/** Copies the head for the call. Each header that is read costs, so those that need another one are read only then. */
const copyHead = (
  req: HttpRequest,
  { method, acceptLanguage }: AnsweredHead,
  origin: string,
  authorization: string,
): RequestHead => {
  const cookie = req.getHeader('cookie')
  return {
    method,
    query: req.getQuery() ?? '',
    host: req.getHeader('host'),
    authorization,
    acceptLanguage,
    userAgent: req.getHeader('user-agent'),
    idempotencyKey: method === 'get' ? '' : req.getHeader('idempotency-key'),
    origin,
    cookie,
    csrfToken: cookie === '' ? '' : req.getHeader('x-csrf-token'),
  }
}

/** What the headers say about the body of a request. `length` is undefined when it is sent in chunks. */
const readBodyHeaders = (req: HttpRequest): { length: number | undefined; hasBody: boolean } => {
  const header = req.getHeader('content-length')
  const length = /^\d+$/.test(header) ? Number(header) : undefined
  return { length, hasBody: (length ?? 0) > 0 || req.getHeader('transfer-encoding') !== '' }
}

const copyTraits = (
  req: HttpRequest,
  method: string,
  origin: string,
  route: Route | undefined,
  serving: ServeContext,
): RequestTraits => ({
  isHead: method === 'HEAD',
  isCrossOrigin: origin !== '',
  headers: route === undefined ? noHeaders : copyHeaders(req, headersToCopy(route)),
  clientAddress: copyForwardedAddress(req, serving),
  isSecure: copyForwardedProtocol(req, serving),
})

const copyHeaders = (req: HttpRequest, names: readonly CopiedHeader[]): RequestTraits['headers'] => {
  if (names.length === 0) return noHeaders
  const copied: Record<string, string> = {}
  for (const name of names) copied[name] = name === 'accept' ? readList(req, name).join() : req.getHeader(name)
  return copied
}

const noHeaders: RequestTraits['headers'] = {}
/** The headers that the endpoints of a path read, by the endpoints. */
const headersOfPaths = new WeakMap<EndpointMatch['values'], readonly CopiedHeader[]>()

const headersToCopy = (route: Route): readonly CopiedHeader[] => {
  if ('page' in route) return copiedHeaders
  const { values } = route.match
  let names = headersOfPaths.get(values)
  if (names === undefined) {
    names = [...new Set([...values.values()].flatMap(({ value }) => value.endpoint.headers))]
    headersOfPaths.set(values, names)
  }
  return names
}

const identity = (peer: string) => peer

/** Copies the headers of proxies now, because `req` is no longer valid when the address is read (1). */
const copyForwardedAddress = (req: HttpRequest, { clientAddress }: ServeContext): RequestTraits['clientAddress'] => {
  if (clientAddress === undefined) return identity
  const forwardedFor: string[] = []
  // `getHeader` returns only the first header of a name, and that one may come from the client.
  req.forEach((name, value) => {
    if (name === 'x-forwarded-for') forwardedFor.push(value)
  })
  return (peer) => clientAddress(peer, forwardedFor)
}

const always = () => true
const never = () => false

/** Copies what the proxy says about TLS: only a trusted one is believed, and an https PUBLIC_URL says it for all. */
const copyForwardedProtocol = (
  req: HttpRequest,
  { config, clientAddress, isTrustedProxy }: ServeContext,
): RequestTraits['isSecure'] => {
  if (isHttps(config)) return always
  if (clientAddress === undefined) return never
  return req.getHeader('x-forwarded-proto').toLowerCase() === 'https' ? isTrustedProxy : never
}

/** Seconds after which a client with too many open requests may try again. */
const RETRY_SECONDS = 10
const tooManyOpen = () => errors.tooManyOpenRequests({ 'retry-after': RETRY_SECONDS })

const servePage = (page: SitePage, served: ServedRequest): void => {
  const { exchange } = served
  const answer = (async () => page.serve(exchange))()
  answer
    .then(({ status, headers, body }) => exchange.reply(status, headers, body))
    .catch((error: unknown) => served.fail(error))
}

const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset'

const optionsHeaders = ({ values }: EndpointMatch, config: App['config']): Headers => {
  const methods = [...allowedMethods(values), 'OPTIONS'].join(', ')
  const announcedHeaders = Object.assign(
    {},
    ...[...values.values()].map(({ value }) => value.endpoint.announces?.(config)),
  )
  return {
    Allow: methods,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': allowedHeaders,
    'Access-Control-Max-Age': '86400',
    ...announcedHeaders,
  }
}

const trackPendingResponses = (open: OpenRequests, headers: PendingResponses['headers']) => {
  let count = 0
  let begun = 0
  const waiting: (() => void)[] = []
  const pending: PendingResponses = {
    isDraining: false,
    headers: [joinFields(headers)],
    jsonHead: joinFields([...Object.entries(jsonHeaders), ...headers]),
    begin() {
      count += 1
      begun += 1
    },
    end() {
      count -= 1
      if (count === 0) for (const resolve of waiting.splice(0)) resolve()
    },
    release: (exchange) => open.end(exchange),
  }
  const idle = async (milliseconds = 0) => {
    for (;;) {
      if (count > 0) await new Promise<void>((resolve) => waiting.push(resolve))
      const before = begun
      await sleep(milliseconds)
      if (begun === before) return
    }
  }
  return { pending, idle }
}

/** What a socket has beside the data of its handlers. uWebSockets copies these fields, so the object is their own. */
interface CountedSocket {
  openRequest: OpenRequest
}

const openRequestOf = (socket: Socket<unknown>): OpenRequest => (socket.getUserData() as CountedSocket).openRequest

const isRejected = (socket: Socket<unknown>): boolean =>
  (socket.getUserData() as Partial<RejectedSocket>).rejection !== undefined

/** Sends the error and closes the socket, if its handshake was refused. @returns whether it was */
const endRejected = (socket: Socket<unknown>): boolean => {
  const { rejection, errorFrame } = socket.getUserData() as Partial<RejectedSocket>
  if (rejection === undefined) return false
  if (errorFrame !== undefined) socket.send(errorFrame)
  socket.end(rejection.code, rejection.reason)
  return true
}

const socketBehavior = <Data extends object>(handlers: SocketHandlers<Data>, serving: ServeContext) => ({
  maxPayloadLength: MAX_RECEIVED_MESSAGE_BYTES,
  maxBackpressure: MAX_UNSENT_BYTES,
  closeOnBackpressureLimit: true,
  idleTimeout: IDLE_TIMEOUT_SECONDS,
  sendPingsAutomatically: true,

  upgrade(res: HttpResponse, req: HttpRequest, context: Parameters<HttpResponse['upgrade']>[4]) {
    const path = req.getUrl()
    const traits = {
      isHead: false,
      isCrossOrigin: false,
      headers: noHeaders,
      clientAddress: copyForwardedAddress(req, serving),
      isSecure: copyForwardedProtocol(req, serving),
    }
    const exchange = new NativeExchange(res, traits, serving.pending)
    const refuse = (error: ApiError, more?: Headers) => {
      const unread = { host: '', authorization: '', call: 'WebSocket' }
      logRefusal(serving.log, error, { ip: exchange.remoteAddress, ...unread })
      const { status, text, headers } = composeFailure(error, acceptedTexts(req.getHeader('accept-language')))
      exchange.reply(status, { ...jsonHeaders, ...headers, ...more }, text)
    }
    if (!serving.open.begin(exchange)) return refuse(tooManyOpen())
    if (stripApiPrefix(collapseSlashes(path)) !== handlers.path) return refuse(errors.unknownPath({ path }))
    // uWebSockets takes every GET with a key of 24 characters for a handshake.
    if (!asksForWebSocket(req)) return refuse(errors.upgradeRequired(), upgradeHeaders)
    if (!handshakeKey.test(req.getHeader('sec-websocket-key'))) return refuse(errors.invalidHandshake())
    // A page sends a key of its own as a subprotocol (request-origin.ts, 3).
    const origin = req.getHeader('origin')
    const isForeign = isForeignOrigin(origin, req.getHeader('host'))
    if (isForeign && req.getHeader('authorization') !== '') return refuse(errors.foreignPage())
    const isBrowser = isFromBrowser(req, origin)
    const offered = readList(req, 'sec-websocket-protocol')
    const key = req.getHeader('sec-websocket-key')
    const extensions = req.getHeader('sec-websocket-extensions')
    const handshake = copyHandshake(req, exchange, offered)
    const upgrade = (data: Data | RejectedSocket) => {
      const counted: CountedSocket = { openRequest: { remoteAddress: handshake.ip } }
      const protocol = offered.includes(SUBPROTOCOL) ? SUBPROTOCOL : ''
      exchange.handOverToSocket()
      serving.runUpgrade(() => res.upgrade({ ...data, ...counted }, key, protocol, extensions, context))
    }
    const answer = (status: number, headers: Headers, body: string) => {
      const rejected = isBrowser ? serving.rejectHandshake(status, body) : undefined
      if (rejected === undefined) exchange.reply(status, headers, body)
      else upgrade(rejected)
    }
    handlers.upgrade(handshake).then(
      (decision) => {
        if (!exchange.isOpen) return
        if ('status' in decision) return answer(decision.status, jsonHeaders, decision.body)
        upgrade('accept' in decision ? decision.accept : { rejection: decision.close })
      },
      (error: unknown) => {
        if (error instanceof ApiError) logRefusal(serving.log, error, { ...handshake, call: 'WebSocket' })
        if (!exchange.isOpen) return
        const isRefusal = error instanceof ApiError
        if (!isRefusal && isUnexpected(error)) serving.log.error({ err: error, path }, 'a handshake failed')
        const { status, text, headers } = composeFailure(
          isRefusal ? error : composeUnexpectedError(error),
          acceptedTexts(handshake.acceptLanguage),
        )
        answer(status, { ...jsonHeaders, ...headers }, text)
      },
    )
  },

  open(socket: Socket<Data>): void {
    // The request of the handshake has just ended, so its network has room for the socket.
    serving.open.begin(openRequestOf(socket))
    if (!endRejected(socket)) handlers.open(socket)
  },
  message(socket: Socket<Data>, message: ArrayBuffer, isBinary: boolean): void {
    if (!isRejected(socket)) handlers.message(socket, message, isBinary)
  },
  drain(socket: Socket<Data>): void {
    if (!isRejected(socket)) handlers.drain(socket)
  },
  close(socket: Socket<Data>, code: number): void {
    serving.open.end(openRequestOf(socket))
    if (!isRejected(socket)) handlers.close(socket, code)
  },
})

/** Of the answer to another protocol or version (RFC 6455 section 4.4, RFC 9110 section 15.5.22). */
const upgradeHeaders: Headers = { Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Version': '13' }
/** 16 bytes in base64 */
const handshakeKey = /^[A-Za-z0-9+/]{21}[AQgw]==$/

const asksForWebSocket = (req: HttpRequest): boolean =>
  req.getHeader('sec-websocket-version') === '13' &&
  hasToken(req.getHeader('upgrade'), 'websocket') &&
  hasToken(req.getHeader('connection'), 'upgrade')

/** Whether a list in a header has a token, in upper or lower case. */
const hasToken = (list: string, token: string): boolean =>
  list
    .toLowerCase()
    .split(/[ \t]*,[ \t]*/)
    .includes(token)

const copyHandshake = (req: HttpRequest, exchange: NativeExchange, offered: readonly string[]): Handshake => {
  const query = req.getQuery() ?? ''
  const credentials = offered.find((protocol) => protocol.startsWith('basic.'))?.slice('basic.'.length)
  const [host, origin, cookie] = [req.getHeader('host'), req.getHeader('origin'), req.getHeader('cookie')]
  return {
    host,
    session: readSession({ cookie, host, origin, csrfToken: '' }, () => exchange.isSecure, true),
    ip: exchange.remoteAddress,
    userAgent: req.getHeader('user-agent'),
    acceptLanguage: req.getHeader('accept-language'),
    isFromForeignPage: isForeignOrigin(origin, host),
    authorization: req.getHeader('authorization') || (credentials === undefined ? '' : `Basic ${credentials}`),
    fields: decodeForm(query ?? ''),
    get aborted() {
      return exchange.aborted
    },
  }
}
