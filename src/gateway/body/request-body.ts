/**
 * Receives the bodies of requests.
 *
 * 1. uWebSockets detaches a chunk's buffer when the callback returns. A body in one chunk is passed on inside the
 *    callback without a copy; several chunks are copied. So `done` must not use the bytes after its first await.
 * 2. A body beyond SMALL_BODY_BYTES that does not arrive at once needs credentials: the client is authenticated from
 *    the head of the request before more of the body is read (`preAuthenticate`). Until then the connection is not
 *    read.
 * 3. What bodies hold in memory is bounded (body-memory.ts), from the first byte that is kept until the call has ended.
 * 4. A refused body is answered at once. Then the rest of it is read and discarded for a while, because a client that
 *    is still sending when its connection closes does not read the answer (RFC 9112 section 9.6).
 * 5. A client that sends too slowly is refused (isTooSlow). uWebSockets would close its connection without an answer,
 *    when 10 seconds bring less than 160 KB; `resume` begins those 10 seconds again.
 * 6. An account that sends faster than its pace (body-pace.ts) is not read for a while. uWebSockets passes on what had
 *    arrived before, so a body that is whole waits, too, before it is used.
 * 7. A body with `Content-Length: 0` is used at once. uWebSockets passes on no chunk of it when the head of the request
 *    arrived in several packets.
 */
import { type ApiError, errors } from '../../domain/protocol/errors.js'
import { type BodyMemory, type BodyShare, openBodyMemory, RETRY_SECONDS } from './body-memory.js'
import { type BodyPace, openBodyPace } from './body-pace.js'

/** The part of uWebSockets' HttpResponse that receives a body. */
export interface NativeReceiver {
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown
  pause(): unknown
  resume(): unknown
}

export interface BodyRule {
  /** maximum size in bytes */
  limit: number
  refusal(): ApiError
  /** the body is one file without a form around it; when the client disconnects, the received part is passed on */
  isRaw?: true
}

const DEFAULT_BODY_BYTES = 1024 * 1024

/** The rule for endpoints that declare none. */
export const defaultRule: BodyRule = {
  limit: DEFAULT_BODY_BYTES,
  refusal: () => errors.bodyTooLarge({ limit: DEFAULT_BODY_BYTES }),
}

/**
 * The size up to which a body needs no credentials. It fits any form of the endpoints that can be called without them.
 */
export const SMALL_BODY_BYTES = 64 * 1024
const MEBIBYTE = 1024 * 1024
/** All small bodies together, and those of one address. */
const SMALL_BODIES = { total: 64 * MEBIBYTE, per_address: 4 * MEBIBYTE, per_account: undefined }
/** All large bodies together. One address can hold half of that, and one account a quarter. */
const LARGE_BODIES_BYTES = 512 * MEBIBYTE
/** What a refused client can send after the answer until it is disconnected (4), in bytes and milliseconds. */
const MAX_DISCARDED_BYTES = 64 * MEBIBYTE
const MAX_DISCARDING_MS = 30_000
/** The slowest average, in bytes per millisecond, and the time before it is first checked (5). */
const MIN_BYTES_PER_MS = 4
const GRACE_MS = 20_000
const CHECK_INTERVAL_MS = 4_000
/**
 * A client whose connection brings nothing for this time is refused, and one that cannot be authenticated meanwhile.
 */
const MAX_SILENCE_MS = 10_000

/** A request whose body is not read, and the ways to end it. */
export interface RefusedRequest {
  native: NativeReceiver
  /**
   * Answers a refused request.
   * @param isReceived whether the whole body was received; otherwise the rest will be discarded (4)
   */
  refuse(error: unknown, isReceived: boolean): void
  disconnect(): void
  onAborted(listener: () => void): void
}

/** The chunks of a body in their order. */
export type Chunks = readonly [Uint8Array, ...Uint8Array[]]

/** A request whose body is received. */
export interface BodyRequest extends RefusedRequest {
  rule: BodyRule
  /** the number in Content-Length; undefined: the header is absent */
  length: number | undefined
  /** the network of the client; it is read only when a body does not arrive at once */
  address(): string
  /** Authenticates the client, and counts the call, before a large body is read (2). Throws ApiError: the refusal. */
  preAuthenticate(): Promise<{ account: string }>
  /**
   * Uses the body. Its memory is held until this resolves (3).
   * @param chunks of the body, at least one
   * @param isLent the chunks are gone after the first await (1)
   */
  use(chunks: Chunks, isLent: boolean): Promise<void>
}

export interface BodyReceiver {
  /** Receives the body of a request and passes it to `use`, or refuses the request. */
  receive(request: BodyRequest): void
  /** Refuses a request whose body is not read. */
  discard(request: RefusedRequest, error: ApiError): void
  /** bytes in memory */
  held(): number
}

/** Opens the receiver of a process. @param largest the bytes of the largest body that any endpoint takes */
export const openBodyReceiver = (largest: number): BodyReceiver => {
  const small = openBodyMemory(SMALL_BODIES)
  const large = openBodyMemory({
    total: LARGE_BODIES_BYTES,
    per_address: Math.max(LARGE_BODIES_BYTES / 2, largest),
    per_account: Math.max(LARGE_BODIES_BYTES / 4, largest),
  })
  const shared = { small, large, pace: openBodyPace(), receiving: new Set<ReceivingBody>() }
  const checking = setInterval(() => {
    const now = performance.now()
    for (const body of shared.receiving) body.check(now)
    shared.pace.sweep(now)
  }, CHECK_INTERVAL_MS)
  checking.unref()
  const unused = async () => {
    throw new Error('the body of this request is not used')
  }
  return {
    receive(request) {
      const { native, length, rule } = request
      if (length === 0) {
        void request.use([new Uint8Array()], true)
        return
      }
      const refusal = length !== undefined && length > rule.limit ? rule.refusal() : undefined
      let body: ReceivingBody | undefined
      request.onAborted(() => body?.abort())
      native.onData((chunk, isLast) => {
        // Almost every body takes this path: it arrives at once, so it holds no memory and needs no state.
        const isUsedAtOnce = body === undefined && isLast && refusal === undefined && chunk.byteLength <= rule.limit
        if (isUsedAtOnce) {
          void request.use([new Uint8Array(chunk)], true)
          return
        }
        body ??= new ReceivingBody(request, shared, refusal)
        body.receive(new Uint8Array(chunk), isLast)
      })
    },
    discard(request, error) {
      const rest = { rule: defaultRule, length: undefined, address: () => '', preAuthenticate: unused, use: unused }
      const body = new ReceivingBody({ ...request, ...rest }, shared, error)
      request.onAborted(() => body.abort())
      request.native.onData((chunk, isLast) => body.receive(new Uint8Array(chunk), isLast))
    },
    held: () => small.held + large.held,
  }
}

/** What the bodies of a process share. */
interface SharedByBodies {
  small: BodyMemory
  large: BodyMemory
  pace: BodyPace
  /** the bodies that are checked for slow clients (5); a body is added when it does not arrive at once */
  receiving: Set<ReceivingBody>
}

class ReceivingBody {
  readonly #request: BodyRequest
  readonly #shared: SharedByBodies
  #share: BodyShare | undefined
  #pieces: Buffer[] = []
  #keptBytes = 0
  #receivedBytes = 0
  /** the error to answer with; set before the first chunk arrives */
  #refusal: ApiError | undefined
  #preAuthentication: 'none' | 'pending' | 'done' = 'none'
  /** known once the client was authenticated */
  #account = ''
  /** resumes a body whose account is ahead of its pace (6) */
  #pause: NodeJS.Timeout | undefined
  /** discarding: the answer was sent, and the rest of the body is read (4) */
  #state: 'receiving' | 'discarding' | 'ended' = 'receiving'
  #isWhole = false
  /** the connection is not read: chunks that were received together with the last one still arrive */
  #isPaused = false
  #beganAt = 0
  #lastChunkAt = 0
  #discardedFrom = { bytes: 0, at: 0 }

  constructor(request: BodyRequest, shared: SharedByBodies, refusal: ApiError | undefined) {
    this.#request = request
    this.#shared = shared
    this.#refusal = refusal
  }

  /** Takes the next chunk of the body, which is detached when this returns (1). */
  receive(piece: Uint8Array, isLast: boolean): void {
    if (this.#state === 'ended') return
    this.#receivedBytes += piece.length
    if (this.#receivedBytes > this.#request.rule.limit) this.#refusal ??= this.#request.rule.refusal()
    if (this.#state === 'discarding') this.#discard(isLast)
    else if (this.#refusal !== undefined) this.#refuse(this.#refusal, isLast)
    else if (isLast && this.#keptBytes === 0) this.#use([piece], true)
    else this.#keep(piece, isLast)
  }

  #keep(piece: Uint8Array, isLast: boolean): void {
    this.#isWhole = isLast
    const error = this.#copy(piece)
    if (error !== undefined) this.#interrupt(error)
    else if (this.#preAuthentication === 'done') this.#keepPace(piece.length)
    else if (isLast && this.#preAuthentication === 'none') this.#useKept()
    else if (this.#preAuthentication === 'none' && this.#isLarge()) this.#preAuthenticate()
  }

  /** Goes on with the body: at once, or after a pause when its account is ahead of its pace (6). */
  #keepPace(bytes: number): void {
    const ms = this.#shared.pace.take(this.#account, bytes, performance.now())
    if (ms === 0) {
      if (this.#isWhole) this.#useKept()
      return
    }
    if (!this.#isWhole) this.#stopReading()
    clearTimeout(this.#pause)
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      this.#lastChunkAt = performance.now()
      if (this.#isWhole) this.#useKept()
      else this.#goOnReading()
    }, ms)
  }

  #stopReading(): void {
    if (!this.#isPaused) this.#request.native.pause()
    this.#isPaused = true
  }

  #goOnReading(): void {
    if (this.#isPaused) this.#request.native.resume()
    this.#isPaused = false
  }

  #stopPause(): void {
    clearTimeout(this.#pause)
    this.#pause = undefined
  }

  #isLarge(): boolean {
    return Math.max(this.#receivedBytes, this.#request.length ?? 0) > SMALL_BODY_BYTES
  }

  /** Copies a chunk. @returns the error when the body may hold no more memory */
  #copy(piece: Uint8Array): ApiError | undefined {
    this.#lastChunkAt = performance.now()
    if (this.#share === undefined) {
      this.#beganAt = this.#lastChunkAt
      this.#shared.receiving.add(this)
      this.#share = this.#openShare(undefined)
    }
    const error = piece.length === 0 ? undefined : this.#share.take(piece.length)
    if (error !== undefined) return error
    this.#pieces.push(Buffer.from(piece))
    this.#keptBytes += piece.length
    return undefined
  }

  #openShare(account: string | undefined): BodyShare {
    const memory = this.#isLarge() ? this.#shared.large : this.#shared.small
    const address = this.#request.address()
    return memory.open({ address, account }, () =>
      this.#interrupt(errors.noMemoryForBody({ 'retry-after': RETRY_SECONDS })),
    )
  }

  /** Authenticates the client, while the connection is not read (2). */
  #preAuthenticate(): void {
    this.#preAuthentication = 'pending'
    if (!this.#isWhole) this.#stopReading()
    this.#request.preAuthenticate().then(
      ({ account }) => {
        if (this.#state === 'receiving') this.#continue(account)
      },
      (error: unknown) => {
        if (this.#state === 'receiving') this.#refuse(error, this.#isWhole)
      },
    )
  }

  /** Goes on with a body whose client was authenticated. */
  #continue(account: string): void {
    this.#preAuthentication = 'done'
    this.#account = account
    this.#lastChunkAt = performance.now()
    this.#goOnReading()
    this.#share?.release()
    this.#share = this.#openShare(account)
    const error = this.#share.take(this.#keptBytes)
    if (error !== undefined) this.#interrupt(error)
    else this.#keepPace(this.#keptBytes)
  }

  /** Uses the copied chunks. */
  #useKept(): void {
    const [first = Buffer.alloc(0), ...others] = this.#pieces
    this.#pieces = []
    this.#use([first, ...others], false)
  }

  #use(chunks: Chunks, isLent: boolean): void {
    const share = this.#share
    this.#goOnReading()
    this.#end()
    share?.keep()
    const ended = this.#request.use(chunks, isLent)
    if (share !== undefined) void ended.finally(() => share.release())
  }

  /** Ends a body that is not whole: a raw one is passed on as far as it was received, another one is refused. */
  #interrupt(error: ApiError): void {
    // Disconnecting passes on the received part (`abort`), and the client resumes from there.
    if (this.#request.rule.isRaw === true && this.#keptBytes > 0) this.#request.disconnect()
    else this.#refuse(error, this.#isWhole)
  }

  #refuse(error: unknown, isReceived: boolean): void {
    this.#share?.release()
    this.#share = undefined
    this.#pieces = []
    this.#goOnReading()
    if (isReceived) {
      this.#end()
    } else {
      this.#stopPause()
      this.#state = 'discarding'
      this.#discardedFrom = { bytes: this.#receivedBytes, at: performance.now() }
      this.#shared.receiving.add(this)
    }
    this.#request.refuse(error, isReceived)
  }

  #discard(isLast: boolean): void {
    if (isLast || this.#receivedBytes - this.#discardedFrom.bytes > MAX_DISCARDED_BYTES) this.#disconnect()
  }

  #disconnect(): void {
    this.#end()
    this.#request.disconnect()
  }

  /** Checks the pace of the client (5). */
  check(now: number): void {
    if (this.#state === 'discarding') {
      if (now - this.#discardedFrom.at > MAX_DISCARDING_MS) this.#disconnect()
    } else if (this.#preAuthentication === 'pending') {
      if (now - this.#lastChunkAt > MAX_SILENCE_MS) this.#refuse(errors.notReady(), this.#isWhole)
    } else if (this.#pause !== undefined) {
      // The client may not be read for longer than the silence that is too slow.
    } else if (isTooSlow(this.#receivedBytes, now - this.#beganAt, now - this.#lastChunkAt)) {
      this.#interrupt(errors.bodyTooSlow())
    } else {
      this.#request.native.resume()
    }
  }

  #end(): void {
    this.#stopPause()
    this.#state = 'ended'
    this.#shared.receiving.delete(this)
  }

  /** Ends a body whose client has disconnected. */
  abort(): void {
    if (this.#state === 'ended') return
    // There is nothing to read any more, and uWebSockets throws for a connection that has ended.
    this.#isPaused = false
    const isPart = this.#request.rule.isRaw === true && this.#state === 'receiving' && this.#keptBytes > 0
    if (isPart && this.#preAuthentication === 'pending') {
      // The part is passed on when the client turns out to be known.
      this.#isWhole = true
      this.#shared.receiving.delete(this)
    } else if (isPart) {
      this.#useKept()
    } else {
      this.#end()
      this.#share?.release()
    }
  }
}

/**
 * Whether a body arrives too slowly. It does if nothing arrives for a while, or too little on average. Times are in
 * milliseconds.
 */
export const isTooSlow = (received: number, elapsed: number, silence: number): boolean =>
  silence > MAX_SILENCE_MS || received < (elapsed - GRACE_MS) * MIN_BYTES_PER_MS
