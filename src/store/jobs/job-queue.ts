/**
 * The way of a job to a worker at once: its id, through BullMQ. Redis that is away is no error here: the row is in
 * Postgres, and the workers' sweeper finds it (workers/schedule.ts).
 */
import { Queue } from 'bullmq'
import { openRedis } from '../redis.js'
import type { JobKind, QueuedJob } from './job-table.js'

/** The name of the queue in Redis, for both ends. */
export const queueName = 'parley-jobs'

/** What travels through Redis: ids, not work. */
export interface JobTicket {
  id: number
}

export interface Jobs {
  /** Hands jobs that are committed to the workers. Never waits, never throws. */
  enqueue(jobs: readonly QueuedJob[]): void
  close(): Promise<void>
}

/** What is done when there is nothing else to do: pages of strangers may be slow, and mails to everybody are many. */
const ranks: { readonly [K in JobKind]?: { priority: number } } = {
  page_previews: { priority: 1 },
  missed_mail: { priority: 2 },
}

/** Connects. Resolves at once, also while Redis is away. */
export const openJobs = (redis_url: string): Jobs => {
  const connection = openRedis(redis_url)
  const queue = new Queue<JobTicket>(queueName, { connection, skipVersionCheck: true, skipMetasUpdate: true })
  // Connection errors are a state here (see enqueue), not events of interest one by one.
  queue.on('error', () => {})
  return {
    enqueue(jobs) {
      // BullMQ would keep what it cannot send, without a bound.
      if (connection.status !== 'ready') return
      const tickets = jobs.map(({ id, kind }) => ({
        name: kind,
        data: { id },
        // One ticket per job. BullMQ takes no plain numbers here.
        opts: { jobId: `job-${id}`, removeOnComplete: true, removeOnFail: true, ...ranks[kind] },
      }))
      queue.addBulk(tickets).catch(() => {})
    },
    async close() {
      await queue.close().catch(() => {})
      connection.disconnect()
    },
  }
}
