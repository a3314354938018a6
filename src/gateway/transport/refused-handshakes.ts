/**
 * Refused handshakes of browsers. A page cannot read the status or the body of a refused handshake, so the gateway
 * accepts it, sends the error as a frame in the form of the answer to call 0, and closes the socket with a code.
 *
 * A client that never answers the close frame keeps its connection until the idle timeout, and such a connection is
 * not counted among the open ones. So their number is bounded: beyond it, browsers get the HTTP answer too.
 */
import { type Close, closes } from '../../domain/protocol/errors.js'

/** A socket that is accepted and closed at once with a code. */
export interface RejectedSocket {
  rejection: Close
  /** a frame that is sent before, with the error */
  errorFrame?: string
}

/** Refused handshakes that are accepted within one idle timeout. */
const MAX_ACCEPTED = 1_000

/** Opens the count of refused handshakes. @returns a function: the socket, or undefined beyond the bound */
export const openRefusedHandshakes = (idle_timeout_seconds: number) => {
  let windowStart = Number.NEGATIVE_INFINITY
  let accepted = 0
  return (status: number, body: string, now = performance.now()): RejectedSocket | undefined => {
    if (now - windowStart > idle_timeout_seconds * 1000) {
      windowStart = now
      accepted = 0
    }
    if (accepted >= MAX_ACCEPTED) return undefined
    accepted += 1
    return { rejection: findClose(status), errorFrame: `{"req":0,"status":${status},"body":${body.trimEnd()}}` }
  }
}

const findClose = (status: number): Close => {
  if (status === 401) return closes.wrongCredentials
  if (status === 429 || status === 503) return closes.tooEarly
  return status >= 500 ? closes.internal : closes.refused
}
