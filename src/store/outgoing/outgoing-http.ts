/**
 * HTTP requests to servers whose URLs users provide.
 *
 * 1. The IP address is checked when the connection is made: a host name that resolves to another address on a second
 *    lookup (DNS rebinding) reaches no private network. Each redirect that is followed is checked in the same way.
 * 2. Requests are limited in time: CONNECT_MS for the connection, TIMEOUT_MS for everything including redirects.
 *    Responses are limited in size. At most MAX_REDIRECTIONS redirects are followed.
 */
import type { LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { callableAddressCheck } from '../../domain/net/callable-addresses.js'
import { openHostLookup } from './host-lookup.js'

/** Milliseconds for the whole request, including redirects. */
const TIMEOUT_MS = 10_000
/** Milliseconds for the lookup of the name, the connection and its encryption. */
const CONNECT_MS = 5_000
/** Bytes. */
const MAX_ANSWER_BYTES = 256 * 1024
const MAX_PICTURE_BYTES = 10 * 1024 * 1024
const MAX_REDIRECTIONS = 5

export interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}

/** Why a request failed, for handlers that tell a user of it. */
export type CallFault =
  | { kind: 'private_address'; host: string }
  | { kind: 'too_long' }
  | { kind: 'no_connection'; seconds: number }
  | { kind: 'no_answer'; seconds: number }
  | { kind: 'unreachable'; reason: string }
  | { kind: 'server_error'; status: number }
  | { kind: 'misled'; reason: string }

const describeFault = (fault: CallFault): string => {
  switch (fault.kind) {
    case 'private_address':
      return `the address of ${fault.host} is private`
    case 'too_long':
      return 'the answer is too long'
    case 'no_connection':
      return `no connection within ${fault.seconds} seconds`
    case 'no_answer':
      return `there was no answer within ${fault.seconds} seconds`
    case 'unreachable':
      return `the server could not be reached (${fault.reason})`
    case 'server_error':
      return `the server answered with status ${fault.status}`
    case 'misled':
      return fault.reason
  }
}

/** The request failed: no response, or one that is not acceptable. */
export class OutgoingCallError extends Error {
  readonly fault: CallFault
  /** whether another attempt may succeed */
  readonly isTransient: boolean

  constructor(fault: CallFault, isTransient: boolean) {
    super(describeFault(fault))
    this.name = 'CallFault'
    this.fault = fault
    this.isTransient = isTransient
  }
}

/** Sends a body to a URL, without following redirects. Throws OutgoingCallError. */
export type Post = (url: string, type: string, body: string) => Promise<Answer>

/** Fetches a URL. Throws OutgoingCallError. */
export type Get = (url: string, accept: string) => Promise<Answer & { url: string }>

/** Sends a body with these headers, until the signal says stop. Throws OutgoingCallError. */
export type Deliver = (
  url: string,
  delivery: { headers: http.OutgoingHttpHeaders; body: string; signal: AbortSignal },
) => Promise<Answer>

/** Of what a receiver of events answers, only the status and its headers are read. */
const MAX_CONFIRMATION_BYTES = 16 * 1024

/**
 * Delivers to receivers of events, without following redirects. A long answer is cut off.
 * @param allowed networks that may be called although they are private
 */
export const openDeliver = (allowed: readonly string[]): Deliver => {
  const call = openCalls(allowed, 'ParleyEvents/1.0', { bytes: MAX_CONFIRMATION_BYTES, beyond: 'cut' })
  return (url, { headers, body, signal }) =>
    call(new URL(url), AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]), {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      body,
    })
}

/** @param allowed networks that may be called although they are private */
export const openPost = (allowed: readonly string[]): Post => {
  const call = openCalls(allowed, 'ParleyOutgoingWebhook/1.0', { bytes: MAX_ANSWER_BYTES, beyond: 'refuse' })
  return (url, type, body) =>
    call(new URL(url), AbortSignal.timeout(TIMEOUT_MS), {
      method: 'POST',
      headers: { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) },
      body,
    })
}

/**
 * Gets pages; a long one is cut off at MAX_ANSWER_BYTES.
 * @param allowed networks that may be called although they are private
 */
export const openGet = (allowed: readonly string[]): Get =>
  followRedirects(openCalls(allowed, 'ParleyLinkPreview/1.0', { bytes: MAX_ANSWER_BYTES, beyond: 'cut' }))

/**
 * Gets pictures; one beyond MAX_PICTURE_BYTES is refused.
 * @param allowed networks that may be called although they are private
 */
export const openPictureGet = (allowed: readonly string[]): Get =>
  followRedirects(openCalls(allowed, 'ParleyPictures/1.0', { bytes: MAX_PICTURE_BYTES, beyond: 'refuse' }))

/** Calls a server as `fetch` does, without following redirects. Throws OutgoingCallError. */
export type Fetch = (
  url: string,
  options: { method: string; headers: Readonly<Record<string, string>>; body?: string; signal?: AbortSignal },
) => Promise<Response>

/**
 * Calls servers whose answers a library reads; a long answer is refused.
 * @param allowed networks that may be called although they are private
 */
export const openFetch = (allowed: readonly string[], userAgent: string): Fetch => {
  const call = openCalls(allowed, userAgent, { bytes: MAX_ANSWER_BYTES, beyond: 'refuse' })
  return async (url, { method, headers, body, signal }) => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const answer = await call(new URL(url), signal === undefined ? timeout : AbortSignal.any([signal, timeout]), {
      method,
      headers: { ...headers, ...length },
      ...(body === undefined ? {} : { body }),
    })
    const given = Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    )
    // A status for which `Response` permits no body has none.
    const hasBody = ![204, 205, 304].includes(answer.status)
    return new Response(hasBody ? new Uint8Array(answer.body) : null, { status: answer.status, headers: given })
  }
}

const followRedirects =
  (call: ReturnType<typeof openCalls>): Get =>
  async (input, accept) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    let url = new URL(input)
    for (let hop = 0; hop <= MAX_REDIRECTIONS; hop++) {
      const answer = await call(url, signal, { method: 'GET', headers: { Accept: accept } })
      const { location } = answer.headers
      if (answer.status < 300 || answer.status >= 400 || location === undefined) return { ...answer, url: url.href }
      if (!URL.canParse(location, url.href)) throw misled('the redirection leads nowhere')
      url = new URL(location, url)
      if (!/^https?:$/.test(url.protocol)) throw misled('the redirection leads elsewhere than to a page')
    }
    throw misled('there were too many redirections')
  }

const misled = (reason: string) => new OutgoingCallError({ kind: 'misled', reason }, false)

interface Request {
  method: string
  headers: http.OutgoingHttpHeaders
  body?: string
}

/** The bytes of a response, and what becomes of a longer one (2). */
interface AnswerLimit {
  bytes: number
  beyond: 'refuse' | 'cut'
}

const openCalls = (allowed: readonly string[], userAgent: string, limit: AnswerLimit) => {
  const isCallable = callableAddressCheck(allowed)
  const composeRefusal = (host: string) => new OutgoingCallError({ kind: 'private_address', host }, false)

  const lookupHost = openHostLookup()

  /** Resolves a host name, and refuses all its addresses if one of them is private (1). */
  const findPublic = async (host: string): Promise<LookupAddress[]> => {
    const found = await lookupHost(host)
    if (found.length === 0 || !found.every(({ address }) => isCallable(address))) throw composeRefusal(host)
    return found
  }
  const lookupPublic: LookupFunction = (host, options, done) => {
    findPublic(host).then(
      (found) => {
        const [first] = found
        if (options.all === true) done(null, found)
        else done(null, first?.address ?? '', first?.family ?? 0)
      },
      (error: Error) => done(error, ''),
    )
  }

  return (url: URL, signal: AbortSignal, { method, headers, body }: Request): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const host = url.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !isCallable(host)) return reject(composeRefusal(host))
      const fail = (error: Error) =>
        reject(error instanceof OutgoingCallError ? error : new OutgoingCallError(findFault(error), true))
      const isEncrypted = url.protocol === 'https:'
      const request = (isEncrypted ? https : http).request(
        url,
        { method, agent: false, lookup: lookupPublic, signal, headers: { ...headers, 'User-Agent': userAgent } },
        (response) => {
          const parts: Buffer[] = []
          let size = 0
          const end = () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) })
          response.on('error', fail)
          response.on('end', end)
          response.on('data', (part: Buffer) => {
            size += part.length
            if (size <= limit.bytes) parts.push(part)
            else if (limit.beyond === 'refuse') request.destroy(new OutgoingCallError({ kind: 'too_long' }, false))
            else {
              end()
              request.destroy()
            }
          })
        },
      )
      const connecting = setTimeout(
        () => request.destroy(new OutgoingCallError({ kind: 'no_connection', seconds: CONNECT_MS / 1000 }, true)),
        CONNECT_MS,
      )
      request.on('socket', (socket) =>
        socket.once(isEncrypted ? 'secureConnect' : 'connect', () => clearTimeout(connecting)),
      )
      request.on('close', () => clearTimeout(connecting))
      request.on('error', fail)
      request.end(body)
    })
}

const findFault = (error: Error): CallFault =>
  error.name === 'TimeoutError' || error.name === 'AbortError'
    ? { kind: 'no_answer', seconds: TIMEOUT_MS / 1000 }
    : { kind: 'unreachable', reason: (error as NodeJS.ErrnoException).code ?? error.message }
