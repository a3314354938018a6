/**
 * The queues in which owners share what a process has little of: one row for each. The table of limits in SECURITY.md
 * and the gauges of the processes are made from the rows.
 *
 * The slots of jobs are in `jobClasses` (store/jobs/job-classes.ts), one row for each class: their waiting jobs are
 * rows in Postgres.
 */
import { availableParallelism } from 'node:os'
import { createFairQueue, type FairQueue, type FairQueueLimits, type QueueCounts } from './fair-queue.js'

/** A queue, for the processes and for readers of SECURITY.md. */
export interface FairQueueRow extends FairQueueLimits {
  readonly work: string
  /** what belongs to it */
  readonly details?: string
  /** who shares the slots; absent: all work has one owner */
  readonly owner?: string
  readonly processes: string
  /** what is large */
  readonly large?: string
  /** A machine with few cores has fewer slots: so many for each core, and at least one. */
  readonly slotsPerCore?: number
  /** the status of a refused call */
  readonly refusal?: number
  readonly gauge: string
  /** the state of running work in the gauge. Default: running */
  readonly running?: string
}

/** The pixels of all frames of an image together, beyond which it is large. */
export const LARGE_PIXELS = 16_000_000

const rows = {
  /** An owner gets a quarter of the time. A busier server makes the rests longer. */
  heavy_calls: {
    work: 'heavy calls',
    details: 'long fields, searches, pages of over 1,000 messages, registrations',
    owner: 'account, or address without credentials,',
    processes: 'gateway',
    gauge: 'parley_heavy_calls',
    perOwner: 1,
    waiting: 100,
    rest: { factor: 3, maxMs: 2_000 },
    refusal: 429,
  },
  downloads: {
    work: 'downloads',
    owner: 'account',
    processes: 'gateway',
    gauge: 'parley_downloads',
    running: 'sending',
    perOwner: 16,
    waiting: 500,
    refusal: 429,
  },
  /** An address can have many users. */
  downloads_by_address: {
    work: 'downloads without credentials',
    owner: 'address',
    processes: 'gateway',
    gauge: 'parley_downloads',
    running: 'sending',
    perOwner: 64,
    waiting: 500,
    refusal: 429,
  },
  /** Large images and documents never delay small images. What waits is bounded in store/files/image-decoder.ts. */
  images: {
    work: 'decoded images and documents',
    owner: 'account',
    processes: 'gateway and worker',
    gauge: 'parley_images',
    running: 'decoding',
    slots: 2,
    perOwner: 1,
    largeSlots: 1,
    large: `a document, or an image with more than ${LARGE_PIXELS / 1_000_000} million pixels`,
  },
  /**
   * After a restart all clients register at once. Without the slots they would delay every send, in the queue for
   * Postgres connections and on the event loop, and all their answers would be in memory together. Clients give up
   * after a minute or earlier, and come again while what they asked for is still composed.
   */
  registrations: {
    work: 'registrations',
    processes: 'gateway',
    gauge: 'parley_registrations',
    slots: 3,
    expectedWaitMs: 15_000,
    refusal: 503,
  },
  /** Guessing passwords leaves half of the cores to the event loop, and most threads of the pool to files. */
  password_hashes: {
    work: 'password hashes',
    processes: 'gateway',
    gauge: 'parley_password_hashes',
    slots: 2,
    slotsPerCore: 0.5,
    waiting: 100,
    refusal: 500,
  },
  /** Node compresses in a pool of four threads, so a fifth stream would wait as well. */
  deflate_streams: {
    work: 'private texts of answers that are compressed',
    processes: 'gateway',
    gauge: 'parley_deflate_streams',
    slots: 4,
  },
  /** Each occupies one of four threads, perhaps for many seconds. */
  host_lookups: {
    work: 'lookups of host names by the operating system',
    processes: 'worker, and kind of call',
    gauge: 'parley_host_lookups',
    slots: 1,
  },
  /** They wait for the lock of the realm's head, and must not occupy the connections that other realms need. */
  job_effects: {
    work: 'effects of jobs',
    owner: 'organization',
    processes: 'worker',
    gauge: 'parley_job_effects',
    perOwner: 2,
  },
  /** One of them holds the lock of the realm's head, the others run the statements before it: more would only wait. */
  realm_changes: {
    work: 'transactions that change an organization',
    owner: 'organization',
    processes: 'process',
    gauge: 'parley_realm_changes',
    perOwner: 3,
    longestWaitMs: 5_000,
    refusal: 503,
  },
  /** History and search (store/standbys/standby-reads.ts). */
  realm_reads: {
    work: 'long reads of an organization',
    details: 'history, searches',
    owner: 'organization',
    processes: 'process',
    gauge: 'parley_realm_reads',
    perOwner: 4,
    longestWaitMs: 5_000,
    refusal: 503,
  },
} as const satisfies Record<string, FairQueueRow>

export type FairQueueName = keyof typeof rows

/** The rows by name. */
export const fairQueues: Readonly<Record<FairQueueName, FairQueueRow>> = rows

/** The queues of this process. Each lives as long as the process. */
const opened: { name: FairQueueName; queue: FairQueue }[] = []

/**
 * Opens a queue for the rest of the process.
 * @param refuse the error for a call beyond the bounds of the row
 */
export const openFairQueue = (name: FairQueueName, refuse?: () => Error): FairQueue => {
  const { slots = Infinity, slotsPerCore = Infinity, ...limits } = fairQueues[name]
  const ofCores = Math.max(1, Math.floor(availableParallelism() * slotsPerCore))
  const queue = createFairQueue({ ...limits, slots: Math.min(slots, ofCores) }, refuse)
  opened.push({ name, queue })
  return queue
}

/**
 * Counts the work of this process in the queues of a gauge. Returns undefined if this process has opened none of them.
 */
export const countQueues = (gauge: string): QueueCounts | undefined => {
  const queues = opened.filter(({ name }) => fairQueues[name].gauge === gauge)
  if (queues.length === 0) return undefined
  const total = { running: 0, waiting: 0 }
  for (const { queue } of queues) {
    const { running, waiting } = queue.counts()
    total.running += running
    total.waiting += waiting
  }
  return total
}
