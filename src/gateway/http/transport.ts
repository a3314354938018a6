/**
 * What the rest of the gateway sees of the wire: a raw response, and WebSockets.
 *
 * These are the shapes of uWebSockets' own objects where it matters, so that nothing stands between an event and its
 * socket; only http/uws.ts knows the library.
 */
import type { Close } from '../../domain/protocol/errors.js'
import type { Fields } from './params.js'

/** The raw response of one request, for answers that take their time or have no end. */
export interface HttpExchange {
  /** true once the client is gone: everything below then does nothing */
  readonly aborted: boolean
  /** the client's, as far as trusted proxies tell; empty once the client is gone */
  readonly remoteAddress: string
  /** a request header in lower case: the few that streams need (`accept`, `last-event-id`) */
  header(name: CopiedHeader): string
  onAborted(listener: () => void): void
  /** Headers that the answer will have whatever it is. */
  addHeaders(headers: Headers): void
  /** Answers with a whole body. */
  reply(status: number, headers: Headers, body: string | Uint8Array): void
  /** Begins an answer in pieces. */
  startStream(headers: Headers, status?: number): void
  /** @returns false when the client does not keep up: wait for `onDrained` */
  write(chunk: string | Uint8Array): boolean
  /** Calls back, once, when the connection has taken what was buffered. */
  onDrained(listener: () => void): void
  end(): void
  /** Cuts the connection: the only way to say that a stream failed in the middle. */
  closeConnection(): void
}

/** The request headers that streams look at. */
export const copiedHeaders = [
  'accept',
  'content-type',
  'if-none-match',
  'last-event-id',
  'range',
  'tus-resumable',
  'upload-length',
  'upload-metadata',
  'upload-offset',
] as const

export type CopiedHeader = (typeof copiedHeaders)[number]

export type Headers = Readonly<Record<string, string>>

/**
 * The native WebSocket.
 *
 * Its user data are the properties of what a handshake was accepted with, copied onto the socket itself: so they may
 * not be called like a method here, and must not be looked for under the identity or class they had.
 */
export interface Socket<Data = unknown> {
  /** @returns 0 buffered, 1 sent, 2 dropped because the buffer is full */
  send(message: string | Uint8Array): number
  end(code: number, reason: string): void
  subscribe(topic: string): boolean
  unsubscribe(topic: string): boolean
  getBufferedAmount(): number
  getUserData(): Data
}

/** A handshake, copied out of the library before anything is awaited. */
export interface Handshake {
  readonly host: string
  readonly ip: string
  readonly userAgent: string
  /** from the header, or made of the subprotocol `basic.<base64url(email:key)>` */
  readonly authorization: string
  readonly fields: Fields
  /** true once the client is gone */
  readonly aborted: boolean
}

/** What becomes of a handshake: a socket with data, a socket that is told why it must go, or an ordinary answer. */
export type UpgradeDecision<Data> = { accept: Data } | { close: Close } | { status: number; body: string }

/** WebSockets at one path of the API. */
export interface SocketHandlers<Data> {
  /** below /api/v1 */
  path: string
  upgrade(handshake: Handshake): Promise<UpgradeDecision<Data>>
  open(socket: Socket<Data>): void
  /** `message` is emptied when this returns. */
  message(socket: Socket<Data>, message: ArrayBuffer, isBinary: boolean): void
  drain(socket: Socket<Data>): void
  close(socket: Socket<Data>, code: number): void
}
