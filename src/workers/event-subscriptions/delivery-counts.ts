/** Counts what this worker has delivered of event subscriptions. */
import { Histogram } from '../../store/histogram.js'

/** Upper bounds of the durations of deliveries, in seconds. */
const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The deliveries of a worker since it started. */
export class DeliveryCounts {
  /** how long receivers took to confirm */
  readonly durations = new Histogram(durationBounds)
  /** confirmed events and snapshots */
  delivered = 0
  /** failed attempts */
  failures = 0
  /** subscriptions that this worker delivers now */
  running = 0
}
