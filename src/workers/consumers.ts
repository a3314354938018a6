/** Takes the ids of committed jobs from the queues in Redis, and gives them to the slots of their class. */
import { Worker } from 'bullmq'
import type { Logger } from 'pino'
import { type JobClassName, jobClasses, jobClassNames } from '../store/jobs/job-classes.js'
import { type JobTicket, queueName, queuePrefix } from '../store/jobs/job-queue.js'
import { openBlockingRedis } from '../store/redis.js'
import type { Slots } from './jobs/slots.js'

/** Another worker may take a ticket this many milliseconds after its worker died; the sweeper may be faster. */
const LOCK_MS = 10_000
const RETRY_MS = 500

/** The slots of each class of jobs. */
export type SlotsOfClasses = Readonly<Record<JobClassName, Slots>>

export interface Consumers {
  /** Begins to take jobs. @param scope the name of the deployment in Redis */
  start(scope: string): void
  /** Takes no more jobs. Resolves when the slots have ended those that were taken. */
  stop(): Promise<void>
  /** Closes the connection to Redis. */
  close(): void
}

/** Opens the consumers of all classes. They take nothing until they are started. */
export const openConsumers = (redis_url: string, slots: SlotsOfClasses, log: Logger): Consumers => {
  const connection = openBlockingRedis(redis_url)
  const workers: Worker<JobTicket>[] = []
  const consume = (scope: string, name: JobClassName) => {
    const queue = queueName(name)
    const worker = new Worker<JobTicket>(queue, ({ data }) => slots[name].start(data), {
      // Each worker opens one more connection like this, for its blocking reads.
      connection,
      prefix: queuePrefix(redis_url, scope, queue),
      skipVersionCheck: true,
      concurrency: jobClasses[name].slots,
      lockDuration: LOCK_MS,
      stalledInterval: LOCK_MS / 2,
      // If the signal of a new job is lost, the worker looks again after this many seconds (by default 5).
      drainDelay: 1,
      // After a lost connection, the worker looks again after this many milliseconds (by default 15 seconds).
      runRetryDelay: RETRY_MS,
    })
    // At debug level, because every failed attempt to reconnect to Redis is an error here.
    worker.on('error', (error) => log.debug({ err: error }, 'a queue of jobs is away'))
    return worker
  }
  return {
    start: (scope) => void workers.push(...jobClassNames.map((name) => consume(scope, name))),
    async stop() {
      await Promise.all(workers.map((worker) => worker.close()))
    },
    close: () => connection.disconnect(),
  }
}
