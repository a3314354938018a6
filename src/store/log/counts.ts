/** What the writes and reads of this process cost, counted since it started. */
import { Histogram } from '../histogram.js'

/** Upper bounds of the sizes of batches; the combiner takes at most 512 messages. */
const batchBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
/** Upper bounds of the waits for the barrier, in seconds. */
const barrierBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** The counts of all realms of a process. */
export class LogCounts {
  /** messages per commit of the send combiner */
  readonly batches = new Histogram(batchBounds)
  /** seconds that a read waited for the barrier */
  readonly barriers = new Histogram(barrierBounds)
  /** how often a write ran again because the structure had changed after it was permitted */
  guardRetries = 0
}
