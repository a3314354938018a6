/**
 * Receives the body of a request in chunks.
 *
 * 1. uWebSockets detaches a chunk's buffer when the callback returns. A body in one chunk is passed on inside the
 *    callback without a copy; several chunks are copied. So `done` must not use the bytes after it returns.
 * 2. Memory is bounded twice: each body by its rule, and all bodies together by MAX_RECEIVING_BYTES. Bytes beyond a
 *    bound are read and discarded, because a client that is still sending does not read an answer. A client that sends
 *    MAX_DISCARDED_BYTES more is disconnected.
 */
import { type ApiError, errors } from '../../domain/protocol/errors.js'

/** The part of uWebSockets' HttpResponse that receives a body. */
export interface NativeReceiver {
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown
}

export interface BodyRule {
  /** maximum size in bytes */
  limit: number
  refusal(): ApiError
  /** the body is one file without a form around it; when the client disconnects, the received part is passed on */
  isRaw?: true
}

const DEFAULT_BODY_BYTES = 1024 * 1024
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024
const MAX_RECEIVING_BYTES = 512 * 1024 * 1024

export const defaultRule: BodyRule = {
  limit: DEFAULT_BODY_BYTES,
  refusal: () => errors.bodyTooLarge({ limit: DEFAULT_BODY_BYTES }),
}

let bytesInMemory = 0

/**
 * Receives a body and calls `done` at most once: with the whole body, with the error of a body beyond a bound, or with
 * undefined when the client must be disconnected (2). When the client disconnects first, `done` is not called; if the
 * rule has `isRaw`, it is called with the received part.
 */
export const receiveBody = (
  res: NativeReceiver,
  rule: BodyRule,
  onAborted: (listener: () => void) => void,
  done: (body: Uint8Array | ApiError | undefined) => void,
): void => {
  let chunks: Buffer[] = []
  let receivedBytes = 0
  let keptBytes = 0
  let refusal: ApiError | undefined
  let isDone = false

  const keep = (bytes: Uint8Array) => {
    chunks.push(Buffer.from(bytes))
    keptBytes += bytes.length
    bytesInMemory += bytes.length
  }
  const release = () => {
    bytesInMemory -= keptBytes
    keptBytes = 0
    chunks = []
  }
  const finish = (body: Uint8Array | ApiError | undefined) => {
    isDone = true
    done(body)
    release()
  }

  onAborted(() => {
    if (rule.isRaw === true && !isDone && refusal === undefined && keptBytes > 0) finish(Buffer.concat(chunks))
    else release()
  })
  res.onData((chunk, isLast) => {
    if (isDone) return
    const piece = new Uint8Array(chunk)
    receivedBytes += piece.length
    if (receivedBytes > rule.limit) refusal ??= rule.refusal()
    else if (bytesInMemory + piece.length > MAX_RECEIVING_BYTES) refusal ??= errors.notReady()
    if (refusal !== undefined) {
      release()
      if (isLast) finish(refusal)
      else if (receivedBytes > rule.limit + MAX_DISCARDED_BYTES) finish(undefined)
    } else if (!isLast) {
      keep(piece)
    } else if (chunks.length === 0) {
      finish(piece)
    } else {
      keep(piece)
      finish(Buffer.concat(chunks))
    }
  })
}
