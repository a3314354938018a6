/**
 * The interface of sinks: what delivers the events of one subscription to a receiver.
 *
 * 1. The runner of a subscription (deliver-events.ts) calls `deliver` for one batch at a time, in the order of the
 *    log, and the next batch only after the promise of the last one has resolved.
 * 2. `deliver` resolves when the receiver has all events of the batch for good. Then the position is stored. When it
 *    rejects, the same events come again, in batches that may be cut differently, and each with its former id.
 * 3. A sink holds no events, and does not retry: pauses and breakers are the runner's.
 */
import type { SinkTarget } from '../../../domain/event-subscriptions/event-sinks.js'

/** What a receiver gets: an event, a snapshot, or a test. */
export interface SinkEvent {
  /** the same at each attempt, so that receivers and brokers recognize what they have */
  id: string
  /** the type of the event, such as `message`; `snapshot` and `test` are types of their own */
  type: string
  realm_id: number
  subscription_id: string
  /** UNIX seconds at which this attempt begins */
  timestamp: number
  /** JSON: an object */
  body: string
}

/** An open way to one receiver. */
export interface EventSink {
  /** the most events that `deliver` takes at a time */
  readonly maxBatch: number
  /** Delivers a batch in its order (2). Throws SinkError. */
  deliver(batch: readonly SinkEvent[], signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** What a sink needs to know of its subscription. */
export interface OpenTarget extends SinkTarget {
  realm_id: number
  subscription_id: string
  /** http: the secrets with which deliveries are signed, `whsec_…`; the newest first, two while one is replaced */
  secrets: readonly string[]
}

/** Opens the sink of a subscription. Connections that sinks share are kept by what made this function. */
export type OpenSink = (target: OpenTarget) => EventSink

/** A delivery failed. Any other error that `deliver` throws counts as one that another attempt may cure. */
export class SinkError extends Error {
  /** `gone`: the receiver wants nothing more, so the subscription stops; `transient`: another attempt may succeed */
  readonly reason: 'transient' | 'gone'
  /** how many seconds the receiver asked to wait */
  readonly retry_after: number | undefined

  /** @param message owners of subscriptions see it: it says what happened, without secrets */
  constructor(message: string, reason: 'transient' | 'gone' = 'transient', retry_after?: number) {
    super(message)
    this.name = 'SinkError'
    this.reason = reason
    this.retry_after = retry_after
  }
}
