/**
 * One HTTP exchange on the response object of uWebSockets: it writes the response once, and never after an abort.
 *
 * 1. `res` is valid until it was ended or aborted. `isOpen` tells whether it is, and every write checks it first.
 * 2. Writes run inside `cork`, so that status, headers and body leave in one packet.
 * 3. A body larger than LARGE_BODY_BYTES is sent with `tryEnd`, as fast as the client reads. Only the body itself is
 *    buffered.
 * 4. uWebSockets considers a response complete when as many bytes were written as its Content-Length says. So an answer
 *    without a body (HEAD, 204, 304) ends in `#endWithoutBody`; otherwise the connection would not answer again.
 * 5. While the server drains, every head has `Connection: close`. Once a head is written, nothing adds a header:
 *    uWebSockets would write it into the body.
 * 6. `tryEnd` never buffers: of a streamed body, only the chunk that the client has not taken is in memory. uWebSockets
 *    closes the connection of a client that takes nothing for ten seconds.
 * 7. In one pass of the event loop, one chunk of all streamed bodies is sent: the first megabytes of a download, which
 *    the system buffers, are taken as fast as they are read.
 */
import { STATUS_CODES } from 'node:http'
import type { Readable } from 'node:stream'
import { jsonHeaders } from '../call/envelope.js'
import type { Headers, HttpExchange } from '../contract/transport.js'
import { openYieldQueue } from '../fairness/yield-queue.js'

/** The part of uWebSockets' HttpResponse that is used here. Only transport/native-library.ts loads the library. */
export interface NativeResponse {
  writeStatus(status: string): unknown
  writeHeader(name: string, value: string | Uint8Array): unknown
  write(chunk: string | Uint8Array): boolean
  end(body: string | Uint8Array | undefined, closeConnection: boolean): unknown
  /** Any first argument, even undefined, is sent as a Content-Length. */
  endWithoutBody(length?: number): unknown
  tryEnd(rest: string | Uint8Array, total: number): [isTaken: boolean, isOver: boolean]
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
  /** the copied headers of the request, by name; '' when it has none */
  headers: Readonly<Record<string, string>>
  /** the client's IP address, given the address of the TCP peer, which may be a proxy */
  clientAddress(peer: string): string
  /** whether the client sent the request over TLS, given the address of the TCP peer */
  isSecure(peer: string): boolean
}

/** What the responses of a server share: the count of those that have not ended, and headers. */
export interface PendingResponses {
  /** true while the process shuts down: responses then have `Connection: close` */
  isDraining: boolean
  /** the headers of every response; see security-headers.ts */
  readonly headers: readonly Field[]
  /** `jsonHeaders` and the headers of every response, joined */
  readonly jsonHead: Field
  begin(): void
  end(): void
  /** Ends the request in the count of its network. */
  release(exchange: NativeExchange): void
}

/** A header field. */
type Field = readonly [name: string, value: string]

/**
 * Joins fields that many responses have into one. The value of this field contains the others. Each field that is
 * written costs two conversions of text. Only for constants.
 */
export const joinFields = (fields: readonly Field[]): Field => {
  const text = fields.map((field) => field.join(': ')).join('\r\n')
  const nameEnd = text.indexOf(': ')
  return [text.slice(0, nameEnd), text.slice(nameEnd + 2)]
}

const LARGE_BODY_BYTES = 64 * 1024

/** Chunks of all streamed bodies wait here for their passes (7). */
const nextStreamPass = openYieldQueue()

/** One request and its response. The constructor registers the abort handler, so it runs inside the native callback. */
export class NativeExchange implements HttpExchange {
  aborted = false
  readonly traits: RequestTraits
  /** for the count of open requests (open-requests.ts) */
  countedNetwork: string | undefined
  /** for the same */
  collectedAt: number | undefined
  #address = ''
  readonly #res: NativeResponse
  #hasEnded = false
  #hasBegun = false
  /** the answer was sent, and the connection stays open */
  #isLingering = false
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
    // Kept, because the address of a client that closed its connection cannot be read any more.
    if (this.#address === '' && (this.isOpen || (this.#isLingering && !this.aborted))) {
      this.#address = this.traits.clientAddress(this.#peer())
    }
    return this.#address
  }

  get isSecure(): boolean {
    return this.isOpen && this.traits.isSecure(this.#peer())
  }

  #peer(): string {
    return Buffer.from(this.#res.getRemoteAddressAsText()).toString()
  }

  header(name: Parameters<HttpExchange['header']>[0]): string {
    return this.traits.headers[name] ?? ''
  }

  onAborted(listener: () => void): void {
    if (this.#abortListeners === undefined) this.#abortListeners = [listener]
    else this.#abortListeners.push(listener)
  }

  addHeaders(headers: Headers): void {
    this.#extraHeaders = this.#extraHeaders === undefined ? headers : { ...this.#extraHeaders, ...headers }
  }

  reply(status: number, headers: Headers, body: string | Uint8Array): void {
    if (!this.isOpen || this.#hasBegun) {
      this.closeConnection()
      return
    }
    this.#hasBegun = true
    if (body.length > LARGE_BODY_BYTES && !this.traits.isHead) {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body
      this.#replyLarge(status, headers, [bytes], bytes.length)
      return
    }
    this.#res.cork(() => {
      this.#writeHead(status, headers)
      if (status === 204 || status === 304) this.#endWithoutBody(undefined)
      else if (this.traits.isHead) this.#endWithoutBody(Buffer.byteLength(body))
      else this.#res.end(body, this.#pending.isDraining)
    })
    this.#finish()
  }

  /** Sends a complete response whose body is in several chunks, which may belong to other responses too. */
  replyInChunks(status: number, headers: Headers, chunks: readonly Uint8Array[]): void {
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    if (length <= LARGE_BODY_BYTES || this.traits.isHead) {
      this.reply(status, headers, Buffer.concat(chunks))
    } else if (!this.isOpen || this.#hasBegun) {
      this.closeConnection()
    } else {
      this.#hasBegun = true
      this.#replyLarge(status, headers, chunks, length)
    }
  }

  /** Ends an answer that has a head only. @param length the Content-Length to send; undefined: none (4) */
  #endWithoutBody(length: number | undefined): void {
    this.#announceClose()
    if (length === undefined) this.#res.endWithoutBody()
    else this.#res.endWithoutBody(length)
  }

  /**
   * Sends a complete JSON answer while the client still sends its request, and keeps the connection open, so that the
   * rest of the request can be read. The caller ends it with `closeConnection`.
   *
   * uWebSockets would close the connection after such an answer, and the client, which gets a reset, might not read it.
   * So the whole answer is written as a part of the head: to uWebSockets, the response has not ended.
   */
  replyBeforeRequestEnds(status: number, headers: Headers, text: string): void {
    if (!this.isOpen || this.#hasBegun) {
      this.closeConnection()
      return
    }
    this.#hasBegun = true
    this.#isLingering = true
    const body = Buffer.from(`${text.trimEnd()}\r\n`)
    this.#res.cork(() => {
      this.#writeHead(status, { ...headers, Date: new Date().toUTCString(), 'Content-Length': String(body.length) })
      // uWebSockets ends the value with CR LF: that of the header, or that of the body.
      const rest = this.traits.isHead ? '\r\n' : `\r\n\r\n${body.subarray(0, -2).toString('latin1')}`
      this.#res.writeHeader('Connection', Buffer.from(`close${rest}`, 'latin1'))
    })
    this.#finish()
  }

  async sendStream(status: number, headers: Headers, length: number, stream: Readable): Promise<void> {
    // A stream that is destroyed while it reads can emit an error.
    stream.on('error', () => {})
    try {
      if (!this.isOpen || this.#hasBegun) return this.closeConnection()
      this.#hasBegun = true
      if (this.traits.isHead || length === 0) {
        this.#res.cork(() => {
          this.#writeHead(status, headers)
          this.#endWithoutBody(length)
        })
        return this.#finish()
      }
      this.onAborted(() => stream.destroy())
      await this.#sendChunks(status, headers, length, stream)
    } finally {
      stream.destroy()
    }
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
    this.#res.cork(() => {
      this.#writeHead(status, headers)
      if (this.traits.isHead) this.#endWithoutBody(undefined)
      else this.#announceClose()
    })
    if (this.traits.isHead) this.#finish()
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
      // The head was written, so the second argument is false even while the server drains (5).
      this.#res.end(undefined, false)
    })
    this.#finish()
  }

  /** Ends the exchange without a response, because its connection is upgraded to a WebSocket. */
  handOverToSocket(): void {
    this.#finish()
  }

  closeConnection(): void {
    if (this.isOpen || (this.#isLingering && !this.aborted)) this.#res.close()
  }

  #writeHead(status: number, headers: Headers): void {
    const res = this.#res
    if (status !== 200) res.writeStatus(`${status} ${STATUS_CODES[status] ?? 'Status'}`)
    if (headers === jsonHeaders) {
      const [name, value] = this.#pending.jsonHead
      res.writeHeader(name, value)
    } else {
      for (const name in headers) res.writeHeader(name, headers[name] ?? '')
      for (const [name, value] of this.#pending.headers) res.writeHeader(name, value)
    }
    const extraHeaders = this.#extraHeaders
    for (const name in extraHeaders) res.writeHeader(name, extraHeaders[name] ?? '')
    if (!this.traits.isCrossOrigin) return
    // Files that every site may read have one of these headers already.
    for (const [name, value] of crossOriginHeaders) if (headers[name] === undefined) res.writeHeader(name, value)
  }

  /** Says in the head that the connection closes. `end` does that itself when it writes the head. */
  #announceClose(): void {
    if (this.#pending.isDraining) this.#res.writeHeader('Connection', 'close')
  }

  #replyLarge(status: number, headers: Headers, chunks: readonly Uint8Array[], length: number): void {
    const res = this.#res
    /** The first chunk that the client has not taken as a whole, and the offset of its first byte in the body. */
    let at = 0
    let chunkStart = 0
    const sendRest = (offset: number): boolean => {
      for (let from = offset; ; ) {
        const chunk = chunks[at]
        if (chunk === undefined) return true
        const rest = from === chunkStart ? chunk : chunk.subarray(from - chunkStart)
        const [isTaken, isOver] = rest.length === 0 ? [true, false] : res.tryEnd(rest, length)
        if (isOver) this.#finish()
        if (isOver || !isTaken) return isTaken
        at += 1
        chunkStart += chunk.length
        from = chunkStart
      }
    }
    res.onWritable((offset) => sendRest(offset))
    res.cork(() => {
      this.#writeHead(status, headers)
      this.#announceClose()
      sendRest(0)
    })
  }

  async #sendChunks(status: number, headers: Headers, length: number, stream: Readable): Promise<void> {
    const res = this.#res
    /** The chunk that the client has not taken as a whole (6), and the offset of its first byte in the body. */
    let chunk: Uint8Array = new Uint8Array()
    let chunkStart = 0
    let onTaken = () => {}
    const sendRest = (offset: number): boolean => {
      const rest = chunk.subarray(offset - chunkStart)
      if (rest.length === 0) return true
      const [isTaken, isOver] = res.tryEnd(rest, length)
      if (isOver) this.#finish()
      if (isTaken || isOver) onTaken()
      return isTaken
    }
    this.onAborted(() => onTaken())
    try {
      for await (const next of stream) {
        chunkStart += chunk.length
        chunk = next as Uint8Array
        if (!this.isOpen) return
        if (chunkStart + chunk.length > length) break
        await nextStreamPass()
        if (!this.isOpen) return
        await new Promise<void>((resolve) => {
          onTaken = resolve
          if (chunkStart > 0) return res.cork(() => void sendRest(chunkStart))
          res.onWritable(sendRest)
          res.cork(() => {
            this.#writeHead(status, headers)
            this.#announceClose()
            sendRest(0)
          })
        })
        if (!this.isOpen) return
      }
      throw new Error(`a stream of ${length} bytes ended after ${chunkStart + chunk.length}`)
    } catch (error) {
      if (this.aborted) return
      this.closeConnection()
      throw error
    }
  }

  #abort(): void {
    this.aborted = true
    const listeners = this.#abortListeners
    this.#abortListeners = undefined
    for (const listener of listeners ?? []) listener()
    if (!this.#hasEnded) this.#finish()
    else if (this.#isLingering) this.#pending.release(this)
  }

  #finish(): void {
    this.#hasEnded = true
    this.#pending.end()
    if (!this.#isLingering) this.#pending.release(this)
  }
}

/**
 * A page of any origin may call the API with a key that it has. It cannot read an answer to a call with the cookie of a
 * session: browsers allow that for a named origin only, and such a call is refused (session-cookie.ts).
 */
const crossOriginHeaders: readonly (readonly [string, string])[] = [
  ['Access-Control-Allow-Origin', '*'],
  [
    'Access-Control-Expose-Headers',
    'Location, Retry-After, Tus-Resumable, Upload-Expires, Upload-Length, Upload-Offset, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
  ],
]
