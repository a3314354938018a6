/** The sinks of this worker, by kind. */
import type { Deliver } from '../../../store/outgoing/outgoing-http.js'
import type { BrokerSinks } from './broker-sinks.js'
import type { OpenSink } from './event-sink.js'
import { openHttpSinks } from './http-sink.js'

/** The sinks of a process. */
export interface Sinks {
  open: OpenSink
  /** Closes the connections that sinks share. */
  close(): Promise<void>
}

/** Opens the sinks that the operator has set up. */
export const openSinks = (deliver: Deliver, brokers: BrokerSinks): Sinks => {
  const openHttp = openHttpSinks(deliver)
  return {
    open: (target) => (target.kind === 'http' ? openHttp(target) : brokers.open(target.kind, target)),
    close: brokers.close,
  }
}
