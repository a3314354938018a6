/** A connected client as the hub sees it: the same interface for long poll, SSE and WebSocket. */
import type { closes } from '../../domain/protocol/errors.js'
import type { Queue } from '../../store/register/event-queues.js'

/** The part of the native WebSocket that delivery uses. Delivery calls the native object without a wrapper. */
export interface PushSocket {
  /** @returns 0 partly buffered, 1 sent, 2 dropped because the buffer is full */
  send(text: string | Uint8Array): number
  subscribe(topic: string): boolean
  unsubscribe(topic: string): boolean
  getTopics(): string[]
  end(code: number, reason: string): void
  /** Closes the connection at once, without a close frame and without the unsent bytes. */
  close(): void
  getBufferedAmount(): number
}

/** The uWebSockets topics of the gateway's sockets. */
export interface NativePublisher {
  /** Sends the same bytes to every socket that is subscribed to a topic. */
  publish(topic: string, text: string | Uint8Array): boolean
  /** The number of sockets that are subscribed to a topic. */
  countSubscribers(topic: string): number
}

export interface Client {
  readonly queue: Queue
  /** the version of the API key that authenticated the connection */
  readonly key_version: number
  /** the browser's session that authenticated the connection; absent: credentials of another kind did */
  readonly session_id?: number | undefined
  /** the API key with a name that authenticated the connection; absent: credentials of another kind did */
  readonly api_key_id?: number | undefined
  /** the last event id sent to this client; exact for polls and SSE only, because sockets get native publishes */
  lastId: number
  /** when it began to read the queue, as Date.now(); set by the hub */
  start?: number
  /** Sends one event. @param json the event object with its id, as JSON */
  push(id: number, json: string): void
  /** true for a long poll, which has its own heartbeat timer */
  readonly isPoll?: boolean
  /** The bytes that this process holds because the client has not read them; absent for a long poll. */
  unsentBytes?(): number
  /** present when the client is a WebSocket */
  readonly socket?: PushSocket
  /** Ends the connection as its transport requires. */
  close(reason: CloseReason): void
}

/** Why the gateway ends a connection: a key of `closes` (domain/protocol/errors.ts). */
export type CloseReason = keyof typeof closes
