/**
 * Counts the events that a gateway sends, and how long an entry takes until all clients of this gateway have it. Plain
 * numbers, because a native publish that reaches thousands of sockets must not cost more.
 */

/** Upper bounds of the latencies, in seconds. */
export const latencyBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const

/** The deliveries of a process since it started. */
export class Deliveries {
  /** events sent, one per client */
  events = 0
  /** entries by latency: one number per bound, and one for those above */
  readonly latencies = new Array<number>(latencyBounds.length + 1).fill(0)
  latencySum = 0

  /** Counts an entry that was sent to all clients of this gateway, so many seconds after it was committed. */
  countEntry(seconds: number): void {
    let bucket = 0
    while (bucket < latencyBounds.length && seconds > (latencyBounds[bucket] ?? 0)) bucket++
    this.latencies[bucket] = (this.latencies[bucket] ?? 0) + 1
    this.latencySum += seconds
  }
}
