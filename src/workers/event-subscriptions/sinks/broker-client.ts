/** What the clients of the brokers have in common. */
import type { SinkEvent } from './event-sink.js'

/** A client of a broker, which connects when it has something to send, and again after it has lost a connection. */
export interface BrokerClient {
  /** Resolves when the broker has stored all events, in their order. Throws SinkError. */
  send(topic: string, batch: readonly SinkEvent[], signal: AbortSignal): Promise<void>
  close(): Promise<void>
}
