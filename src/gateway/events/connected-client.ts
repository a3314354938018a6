/** What the hub knows of a connected client, whatever its transport. */
import type { closes } from '../../domain/protocol/errors.js'
import type { Queue } from '../../store/register/queues.js'

/** The part of a WebSocket that delivery uses: the native object itself, so that nothing stands on the hot path. */
export interface PushSocket {
  /** @returns 0 sent in part, 1 sent, 2 dropped because the buffer is full */
  send(text: string | Uint8Array): number
  subscribe(topic: string): boolean
  unsubscribe(topic: string): boolean
  end(code: number, reason: string): void
}

/** Native fan-out: the same bytes to every socket of a topic. */
export type Publish = (topic: string, text: string | Uint8Array) => boolean

export interface Client {
  readonly queue: Queue
  /** the last event id this client has; kept exactly for polls and SSE, where each client is written to by itself */
  lastId: number
  /** Takes one event. `text` is the JSON object, with its id. */
  push(id: number, text: string): void
  /** a poll: it ends with a heartbeat of its own, at its own time */
  readonly isPoll?: boolean
  /** present when the client is a WebSocket */
  readonly socket?: PushSocket
  /** Ends the connection in its transport's own way. */
  close(reason: CloseReason): void
}

/** Why the gateway ends a connection: a row of the table of closes (domain/protocol/errors.ts). */
export type CloseReason = keyof typeof closes
