/**
 * Counts the events that a gateway sends, and how long an entry takes until all clients of this gateway have it. Plain
 * numbers, because a native publish that reaches thousands of sockets must not cost more.
 */
import { Histogram } from '../../store/histogram.js'

/** Upper bounds of the latencies, in seconds. */
const latencyBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** The deliveries of a process since it started. */
export class DeliveryCounts {
  /** events sent, one per client */
  events = 0
  /** seconds from the commit of an entry until it was sent to all clients of this gateway */
  readonly latencies = new Histogram(latencyBounds)
}
