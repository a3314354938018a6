/**
 * One HTTP exchange on the response object of uWebSockets: it writes the response once, and never after an abort.
 *
 * 1. `res` is valid until it was ended or aborted. `isOpen` tells whether it is, and every write checks it first.
 * 2. Writes run inside `cork`, so that status, headers and body leave in one packet.
 * 3. A body larger than LARGE_BODY_BYTES is sent with `tryEnd`, as fast as the client reads. Only the body itself is
 *    buffered.
 */
import { STATUS_CODES } from 'node:http'
import type { Headers, HttpExchange } from './transport.js'

/** The part of uWebSockets' HttpResponse that is used here. Only http/uws.ts imports the library. */
export interface NativeResponse {
  writeStatus(status: string): unknown
  writeHeader(name: string, value: string): unknown
  write(chunk: string | Uint8Array): boolean
  end(body: string | Uint8Array | undefined, closeConnection: boolean): unknown
  endWithoutBody(contentLength: number | undefined, closeConnection: boolean): unknown
  tryEnd(rest: Uint8Array, total: number): [isTaken: boolean, isOver: boolean]
  onWritable(handler: (offset: number) => boolean): unknown
  onAborted(handler: () => void): unknown
  cork(work: () => void): unknown
  close(): unknown
  getRemoteAddressAsText(): ArrayBuffer
}

/** The facts about the request that its response needs. */
export interface RequestTraits {
  isHead: boolean
  /** the request has an Origin header: it comes from a web page */
  isCrossOrigin: boolean
  header: HttpExchange['header']
  /** the client's IP address, given the address of the TCP peer, which may be a proxy */
  clientAddress(peer: string): string
}

/** Counts the responses of a server that have not ended. */
export interface PendingResponses {
  /** true while the process shuts down: responses then have `Connection: close` */
  isDraining: boolean
  begin(): void
  end(): void
}

const LARGE_BODY_BYTES = 64 * 1024

export class NativeExchange implements HttpExchange {
  aborted = false
  readonly traits: RequestTraits
  readonly #res: NativeResponse
  #hasEnded = false
  #hasBegun = false
  #extraHeaders: Headers | undefined
  #abortListeners: (() => void)[] | undefined
  #drainListeners: (() => void)[] | undefined
  readonly #pending: PendingResponses

  constructor(res: NativeResponse, traits: RequestTraits, pending: PendingResponses) {
    this.#res = res
    this.traits = traits
    this.#pending = pending
    pending.begin()
    res.onAborted(() => this.#abort())
  }

  get isOpen(): boolean {
    return !this.aborted && !this.#hasEnded
  }

  get remoteAddress(): string {
    return this.isOpen ? this.traits.clientAddress(Buffer.from(this.#res.getRemoteAddressAsText()).toString()) : ''
  }

  header(name: Parameters<HttpExchange['header']>[0]): string {
    return this.traits.header(name)
  }

  onAborted(listener: () => void): void {
    if (this.#abortListeners === undefined) this.#abortListeners = [listener]
    else this.#abortListeners.push(listener)
  }

  addHeaders(headers: Headers): void {
    this.#extraHeaders = headers
  }

  reply(status: number, headers: Headers, body: string | Uint8Array): void {
    if (!this.isOpen || this.#hasBegun) {
      this.closeConnection()
      return
    }
    this.#hasBegun = true
    if (body.length > LARGE_BODY_BYTES && !this.traits.isHead) {
      this.#replyLarge(status, headers, typeof body === 'string' ? Buffer.from(body) : body)
      return
    }
    this.#res.cork(() => {
      this.#writeHead(status, headers)
      if (this.traits.isHead) this.#res.endWithoutBody(Buffer.byteLength(body), this.#pending.isDraining)
      else if (status === 204) this.#res.endWithoutBody(undefined, this.#pending.isDraining)
      else this.#res.end(body, this.#pending.isDraining)
    })
    this.#finish()
  }

  startStream(headers: Headers, status = 200): void {
    if (!this.isOpen || this.#hasBegun) return
    this.#hasBegun = true
    this.#res.onWritable(() => {
      const listeners = this.#drainListeners
      this.#drainListeners = undefined
      for (const listener of listeners ?? []) listener()
      return true
    })
    this.#res.cork(() => this.#writeHead(status, headers))
    if (this.traits.isHead) this.end()
  }

  write(chunk: string | Uint8Array): boolean {
    // A zero-length chunk would end the stream.
    if (!this.isOpen || chunk.length === 0) return true
    let isTaken = true
    this.#res.cork(() => {
      isTaken = this.#res.write(chunk)
    })
    return isTaken
  }

  onDrained(listener: () => void): void {
    if (this.#drainListeners === undefined) this.#drainListeners = [listener]
    else this.#drainListeners.push(listener)
  }

  end(): void {
    if (!this.isOpen) return
    this.#res.cork(() => {
      this.#res.end(undefined, this.#pending.isDraining)
    })
    this.#finish()
  }

  /** Ends the exchange without a response, because its connection is upgraded to a WebSocket. */
  handOverToSocket(): void {
    this.#finish()
  }

  closeConnection(): void {
    if (this.isOpen) this.#res.close()
  }

  #writeHead(status: number, headers: Headers): void {
    const res = this.#res
    if (status !== 200) res.writeStatus(`${status} ${STATUS_CODES[status] ?? 'Status'}`)
    for (const name in headers) res.writeHeader(name, headers[name] ?? '')
    const extraHeaders = this.#extraHeaders
    for (const name in extraHeaders) res.writeHeader(name, extraHeaders[name] ?? '')
    if (this.traits.isCrossOrigin) for (const [name, value] of crossOriginHeaders) res.writeHeader(name, value)
  }

  #replyLarge(status: number, headers: Headers, body: Uint8Array): void {
    const res = this.#res
    const sendRest = (offset: number): boolean => {
      const [isTaken, isOver] = res.tryEnd(offset === 0 ? body : body.subarray(offset), body.length)
      if (isOver) this.#finish()
      return isTaken
    }
    res.onWritable((offset) => sendRest(offset))
    res.cork(() => {
      this.#writeHead(status, headers)
      sendRest(0)
    })
  }

  #abort(): void {
    this.aborted = true
    const listeners = this.#abortListeners
    this.#abortListeners = undefined
    for (const listener of listeners ?? []) listener()
    if (!this.#hasEnded) this.#finish()
  }

  #finish(): void {
    this.#hasEnded = true
    this.#pending.end()
  }
}

/** Credentials are sent in a header and never in a cookie. So a page of any origin may call the API with a key it has. */
const crossOriginHeaders: readonly (readonly [string, string])[] = [
  ['Access-Control-Allow-Origin', '*'],
  [
    'Access-Control-Expose-Headers',
    'Location, Retry-After, Tus-Resumable, Upload-Expires, Upload-Length, Upload-Offset, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
  ],
]
