/**
 * The body of a request, as it arrives.
 *
 * 1. A received piece is emptied when its callback returns: a body in one piece is handed on inside of it, a body in
 *    pieces is copied. So whoever gets the bytes must be done with them when they return.
 * 2. Bounded twice: each body by its rule, all together by MOST_RECEIVING. What is over the bound is not kept, but
 *    still read, because a client that is busy sending would not see an answer; one that goes on for MOST_DISCARDED
 *    is cut.
 */
import { type ApiError, errors } from '../../domain/protocol/errors.js'

/** The part of the library's response that receives. */
export interface NativeReceiver {
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown
}

export interface BodyRule {
  /** bytes */
  limit: number
  refusal(): ApiError
  /** the body is one file without a form around it; of one that is cut off, what came counts */
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
 * Calls back once with the whole body, with why there is none, or with undefined when there is no end to it; when the
 * client goes away before, never, or with what came (isRaw).
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
  let isOver = false

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
    isOver = true
    done(body)
    release()
  }

  onAborted(() => {
    if (rule.isRaw === true && !isOver && refusal === undefined && keptBytes > 0) finish(Buffer.concat(chunks))
    else release()
  })
  res.onData((chunk, isLast) => {
    if (isOver) return
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
