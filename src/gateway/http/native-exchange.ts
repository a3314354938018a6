/**
 * One HTTP response on its native object: written once, never after an abort, never faster than the client reads.
 *
 * 1. `res` may be touched until it was ended or aborted; `isOpen` says so, and every write looks first.
 * 2. Writes outside the native callback are corked, so that status, headers and body leave in one packet.
 * 3. A body larger than LARGE goes out as the client takes it; nothing but the body itself is buffered.
 */
import type { Headers, HttpExchange } from './transport.js'

/** The part of the library's response that is used here; http/uws.ts is the only one who knows the library. */
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

/** What a response needs to know of its request. */
export interface RequestTraits {
  isHead: boolean
  /** from a browser on another site */
  isCrossOrigin: boolean
  header: HttpExchange['header']
  /** the client's address, given the peer's */
  clientAddress(peer: string): string
}

/** The responses of a server that are not over yet. */
export interface PendingResponses {
  /** set while the process drains: clients are told to make their next request elsewhere */
  isDraining: boolean
  begin(): void
  end(): void
}

const LARGE_BODY_BYTES = 64 * 1024

export class NativeExchange implements HttpExchange {
  aborted = false
  readonly traits: RequestTraits
  readonly #res: NativeResponse
  #isOver = false
  #hasBegun = false
  #also: Headers | undefined
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
    return !this.aborted && !this.#isOver
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
    this.#also = headers
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

  /** Ends this response, because its connection becomes something else: a WebSocket. */
  handOverToSocket(): void {
    this.#finish()
  }

  closeConnection(): void {
    if (this.isOpen) this.#res.close()
  }

  #writeHead(status: number, headers: Headers): void {
    const res = this.#res
    if (status !== 200) res.writeStatus(statusLines[status] ?? `${status} Status`)
    for (const name in headers) res.writeHeader(name, headers[name] ?? '')
    const also = this.#also
    for (const name in also) res.writeHeader(name, also[name] ?? '')
    if (this.traits.isCrossOrigin) for (const [name, value] of crossOriginHeaders) res.writeHeader(name, value)
  }

  #replyLarge(status: number, headers: Headers, body: Uint8Array): void {
    const res = this.#res
    const isDone = (offset: number): boolean => {
      const [isTaken, isOver] = res.tryEnd(offset === 0 ? body : body.subarray(offset), body.length)
      if (isOver) this.#finish()
      return isTaken
    }
    res.onWritable((offset) => isDone(offset))
    res.cork(() => {
      this.#writeHead(status, headers)
      isDone(0)
    })
  }

  #abort(): void {
    this.aborted = true
    const listeners = this.#abortListeners
    this.#abortListeners = undefined
    for (const listener of listeners ?? []) listener()
    if (!this.#isOver) this.#finish()
  }

  #finish(): void {
    this.#isOver = true
    this.#pending.end()
  }
}

/** Credentials come in a header, never in a cookie, so any site may call on behalf of whoever gave it a key. */
const crossOriginHeaders: readonly (readonly [string, string])[] = [
  ['Access-Control-Allow-Origin', '*'],
  [
    'Access-Control-Expose-Headers',
    'Location, Retry-After, Tus-Resumable, Upload-Expires, Upload-Length, Upload-Offset, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
  ],
]

const statusLines: Readonly<Record<number, string>> = {
  200: '200 OK',
  201: '201 Created',
  204: '204 No Content',
  206: '206 Partial Content',
  302: '302 Found',
  304: '304 Not Modified',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  409: '409 Conflict',
  411: '411 Length Required',
  412: '412 Precondition Failed',
  413: '413 Payload Too Large',
  415: '415 Unsupported Media Type',
  416: '416 Range Not Satisfiable',
  426: '426 Upgrade Required',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
}
