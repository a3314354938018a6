/**
 * The interfaces of the transports: HTTP exchanges and WebSockets.
 *
 * Only transport/native-library.ts loads uWebSockets. The interface of a socket is the interface of the native object,
 * so that delivering an event calls the native object without a wrapper.
 */
import type { Readable } from 'node:stream'
import type { Close } from '../../domain/protocol/errors.js'
import type { Fields, SessionCredentials } from './call-request.js'

/** One HTTP request and its response, for handlers that stream or write the response themselves. */
export interface HttpExchange {
  /** true after the client disconnected: the methods below then do nothing */
  readonly aborted: boolean
  /** the client's IP address, from trusted proxies if there are any; '' after the client disconnected */
  readonly remoteAddress: string
  /** The value of a request header, '' when it is absent. Only some headers are copied. */
  header(name: CopiedHeader): string
  /** Calls `listener` when the client disconnects before the response has ended. */
  onAborted(listener: () => void): void
  /** Whether the client sent the request over TLS, to this process's proxy. */
  readonly isSecure: boolean
  /** Adds headers to the response, whichever method sends it. Those of earlier calls stay. */
  addHeaders(headers: Headers): void
  /** Sends a complete response. */
  reply(status: number, headers: Headers, body: string | Uint8Array): void
  /**
   * Sends a complete response whose body of `length` bytes comes from a stream, as fast as the client reads. Only the
   * chunk that is being sent is in memory. Resolves when the response has ended or was aborted. If the stream fails or
   * has another length, the connection is closed, and the promise is rejected. The stream is destroyed in every case.
   */
  sendStream(status: number, headers: Headers, length: number, stream: Readable): Promise<void>
  /** Sends the status and headers of a response that is written in chunks. */
  startStream(headers: Headers, status?: number): void
  /** Sends a chunk. @returns false when the send buffer is not empty: wait for `onDrained` */
  write(chunk: string | Uint8Array): boolean
  /** Calls `listener` once, when the send buffer is empty. */
  onDrained(listener: () => void): void
  /** Ends a response that is written in chunks. */
  end(): void
  /** Closes the connection. HTTP/1.1 has no other way to report that a response failed after it began. */
  closeConnection(): void
}

/** The request headers that are copied for handlers with an exchange. */
export const copiedHeaders = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'if-none-match',
  'if-range',
  'last-event-id',
  'range',
  'tus-resumable',
  'upgrade',
  'upload-length',
  'upload-metadata',
  'upload-offset',
] as const

export type CopiedHeader = (typeof copiedHeaders)[number]

export type Headers = Readonly<Record<string, string>>

/**
 * The native WebSocket.
 *
 * uWebSockets copies the properties of the user data onto the socket object, and `getUserData` returns that object. So
 * no property of the user data may have the name of a method here, and the data's identity and class are lost.
 */
export interface Socket<Data = unknown> {
  /** @returns 0 buffered, 1 sent, 2 dropped because the buffer is full */
  send(message: string | Uint8Array): number
  end(code: number, reason: string): void
  /** Closes the connection at once, without a close frame and without the unsent bytes. */
  close(): void
  subscribe(topic: string): boolean
  unsubscribe(topic: string): boolean
  getTopics(): string[]
  getBufferedAmount(): number
  getUserData(): Data
}

/** The request of a WebSocket handshake, copied before the first await. */
export interface Handshake {
  readonly host: string
  readonly ip: string
  readonly userAgent: string
  /** the header Accept-Language */
  readonly acceptLanguage: string
  /** the Authorization header, or one made from the subprotocol `basic.<base64url(email:key)>` */
  readonly authorization: string
  /** the session cookie; undefined: there is none */
  readonly session: SessionCredentials | undefined
  /** a page of another site opens the socket */
  readonly isFromForeignPage: boolean
  readonly fields: Fields
  /** true after the client disconnected */
  readonly aborted: boolean
}

/** The answer to a handshake: a socket with user data, a socket that is closed at once, or an HTTP response. */
export type UpgradeDecision<Data> = { accept: Data } | { close: Close } | { status: number; body: string }

/** The handlers of the WebSockets at one path of the API. */
export interface SocketHandlers<Data> {
  /** the path below /api/v1 */
  path: string
  /** Decides about a handshake. Throws the ApiError of a refusal. */
  upgrade(handshake: Handshake): Promise<UpgradeDecision<Data>>
  open(socket: Socket<Data>): void
  /** @param message is detached when this returns */
  message(socket: Socket<Data>, message: ArrayBuffer, isBinary: boolean): void
  drain(socket: Socket<Data>): void
  close(socket: Socket<Data>, code: number): void
}
