/** The sinks of this worker, by kind. */
import type { SinkKind } from '../../../domain/event-subscriptions/event-sinks.js'
import type { Deliver } from '../../jobs/outgoing-http.js'
import { type OpenSink, SinkError } from './event-sink.js'
import { openHttpSinks } from './http-sink.js'

/** The sinks of a process. */
export interface Sinks {
  open: OpenSink
  /** Closes the connections that sinks share. */
  close(): Promise<void>
}

/** Opens the sinks that the operator has set up. */
export const openSinks = (deliver: Deliver): Sinks => {
  const openers: { readonly [K in SinkKind]?: OpenSink } = { http: openHttpSinks(deliver) }
  return {
    open: (target) => (openers[target.kind] ?? openMissing)(target),
    async close() {},
  }
}

/** A sink that the operator has removed: each delivery fails. */
const openMissing: OpenSink = ({ kind }) => ({
  maxBatch: 1,
  deliver: () => Promise.reject(new SinkError(`this server delivers no events to ${kind}`)),
  async close() {},
})
