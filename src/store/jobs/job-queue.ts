/**
 * Sends the ids of committed jobs to the workers through BullMQ, so that they start at once. If Redis is unreachable,
 * nothing is sent and no error is thrown: the row is in Postgres, and the workers' sweeper finds it (workers/schedule.ts).
 */
import { Queue } from 'bullmq'
import { openRedis } from '../redis.js'
import type { JobKind, QueuedJob } from './job-table.js'

/** The name of the queue in Redis, which gateways and workers use. */
export const queueName = 'parley-jobs'

/** The data that is sent through Redis: the id of a job, without its payload. */
export interface JobTicket {
  id: number
}

/** The job queue of a process. */
export interface Jobs {
  /** Sends committed jobs to the workers. Never waits, never throws. */
  enqueue(jobs: readonly QueuedJob[]): void
  close(): Promise<void>
}

/**
 * Kinds with a lower priority than all others (a larger number is lower): pages of other sites may be slow, and there
 * may be many mails about missed messages.
 */
const priorities: { readonly [K in JobKind]?: { priority: number } } = {
  page_previews: { priority: 1 },
  missed_mail: { priority: 2 },
}

/** Opens the job queue. Returns at once, also while Redis is unreachable. */
export const openJobs = (redis_url: string): Jobs => {
  const connection = openRedis(redis_url)
  const queue = new Queue<JobTicket>(queueName, { connection, skipVersionCheck: true, skipMetasUpdate: true })
  // An unreachable Redis is a state that `enqueue` checks, so connection errors are not reported.
  queue.on('error', () => {})
  return {
    enqueue(jobs) {
      // BullMQ would buffer jobs without a bound while Redis is unreachable.
      if (connection.status !== 'ready') return
      const tickets = jobs.map(({ id, kind }) => ({
        name: kind,
        data: { id },
        // Prevents two tickets for one job. BullMQ refuses an id that is only a number.
        opts: { jobId: `job-${id}`, removeOnComplete: true, removeOnFail: true, ...priorities[kind] },
      }))
      queue.addBulk(tickets).catch(() => {})
    },
    async close() {
      await queue.close().catch(() => {})
      connection.disconnect()
    },
  }
}
