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

const DEFAULT_LIMIT = 1024 * 1024
const MOST_DISCARDED = 64 * 1024 * 1024
const MOST_RECEIVING = 512 * 1024 * 1024

export const defaultRule: BodyRule = {
  limit: DEFAULT_LIMIT,
  refusal: () => errors.bodyTooLarge({ limit: DEFAULT_LIMIT }),
}

let receiving = 0

/**
 * Calls back once with the whole body, with why there is none, or with undefined when there is no end to it; when the
 * client goes away before, never, or with what came (isRaw).
 */
export const receive = (
  res: NativeReceiver,
  rule: BodyRule,
  onAborted: (listener: () => void) => void,
  done: (body: Uint8Array | ApiError | undefined) => void,
): void => {
  let pieces: Buffer[] = []
  let total = 0
  let kept = 0
  let refusal: ApiError | undefined
  let isOver = false

  const keep = (piece: Uint8Array) => {
    pieces.push(Buffer.from(piece))
    kept += piece.length
    receiving += piece.length
  }
  const letGo = () => {
    receiving -= kept
    kept = 0
    pieces = []
  }
  const finish = (body: Uint8Array | ApiError | undefined) => {
    isOver = true
    done(body)
    letGo()
  }

  onAborted(() => {
    if (rule.isRaw === true && !isOver && refusal === undefined && kept > 0) finish(Buffer.concat(pieces))
    else letGo()
  })
  res.onData((chunk, isLast) => {
    if (isOver) return
    const piece = new Uint8Array(chunk)
    total += piece.length
    if (total > rule.limit) refusal ??= rule.refusal()
    else if (receiving + piece.length > MOST_RECEIVING) refusal ??= errors.notReady()
    if (refusal !== undefined) {
      letGo()
      if (isLast) finish(refusal)
      else if (total > rule.limit + MOST_DISCARDED) finish(undefined)
    } else if (!isLast) {
      keep(piece)
    } else if (pieces.length === 0) {
      finish(piece)
    } else {
      keep(piece)
      finish(Buffer.concat(pieces))
    }
  })
}
