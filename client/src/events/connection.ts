/** What the three transports have in common: one connection that reads a queue from a cursor on. */
import type { ApiError } from '../kernel/errors.js'
import type { Http, Request, Values } from '../kernel/http.js'

/** The ways in which events arrive. */
export type Transport = 'websocket' | 'sse' | 'poll'

/** What an application shows about the connection. */
export interface ConnectionState {
  /** `waiting`: the last attempt failed, and the next one is at `retryAt` */
  status: 'connecting' | 'open' | 'waiting' | 'closed'
  transport: Transport
  gateway: string
  /** when the next attempt begins, in milliseconds since 1970 */
  retryAt?: number
  /** why the last connection ended */
  reason?: string
}

/** A position in an event queue. */
export interface Cursor {
  readonly queueId: string
  /** the id of the last event that the client has */
  readonly lastEventId: number
}

/** An event before its type is known. */
export interface WireEvent {
  id: number
  type: string
}

/**
 * Why a connection ended.
 * - `again`: connect again, with the last event id. `isBroken`: it was open, and the gateway did not say why it ended
 * - `blocked`: this transport did not begin to work here, but another one may
 * - `queueGone`: register again
 * - `refused`: connecting again would fail too
 */
export type End =
  | { kind: 'again' | 'blocked'; retryAfter?: number | undefined; isBroken?: boolean; reason: string }
  | { kind: 'queueGone' }
  | { kind: 'refused'; error: ApiError }

/** What a connection tells its owner. After `onEnd`, and after `close`, it tells nothing more. */
export interface Listener {
  /** The connection works. @param port makes calls over it, if the transport can */
  onOpen(port?: SocketCaller): void
  onEvents(events: readonly WireEvent[]): void
  /** Something else arrived, such as an answer: the connection is not dead. */
  onAlive(): void
  onEnd(end: End): void
}

/** A connection that is open or being opened. */
export interface Connection {
  close(): void
  /** Ends the connection with `again` if nothing is heard of it soon. Missing where the transport cannot ask. */
  check?(): void
}

/** Makes calls over an open connection. */
export interface SocketCaller {
  /** the address of the gateway that gets the calls */
  readonly gateway: string
  /** Returns undefined when the connection has too many calls without an answer, and this one was not sent. */
  call(request: Request): Promise<Values> | undefined
}

/** Opens a connection of one transport. */
export type Connect = (http: Http, gateway: string, cursor: Cursor, listener: Listener) => Connection

/** A transport that does not begin to work within this time is blocked. */
export const OPEN_TIMEOUT_MS = 10_000
/**
 * How long a connection works before it counts as lasting. Nothing in between breaks a connection that has worked for
 * this time.
 */
export const LASTING_MS = 10_000

/** Composes the address of a queue after a cursor. */
export const eventsAddress = (gateway: string, { queueId, lastEventId }: Cursor, more = ''): string =>
  `${gateway}/api/v1/events?queue_id=${encodeURIComponent(queueId)}&last_event_id=${lastEventId}${more}`

/** Converts an error of a request for events. */
export const endOfError = (error: ApiError): End => {
  if (error.status === 401) return { kind: 'refused', error }
  if (error.status === 429 || error.status >= 500) {
    return { kind: 'again', retryAfter: error.retryAfter, reason: error.message }
  }
  // The queue does not exist, or its cursor is not valid any more.
  return { kind: 'queueGone' }
}
