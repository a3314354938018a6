/**
 * Sends the ids of committed jobs to the workers through BullMQ, so that they start at once. If Redis is unreachable,
 * nothing is sent and no error is thrown: the row is in Postgres, and the
 * workers' sweeper finds it (workers/schedule.ts).
 */
import { Queue } from 'bullmq'
import { isClusterUrl, openRedis } from '../redis.js'
import type { Scope } from '../redis-scope.js'
import { type JobClassName, jobClassNames, jobClassOf } from './job-classes.js'
import type { JobKind, QueuedJob } from './job-table.js'

/** The name of a class's queue in Redis, which gateways and workers use. */
export const queueName = (name: JobClassName): string => `parley-${name}`

/**
 * The begin of a queue's keys. In a Redis Cluster, the braces put the keys of a queue into one slot, and its scripts
 * run there.
 * @param scope the name of the deployment in Redis (redis-scope.ts)
 */
export const queuePrefix = (redis_url: string, scope: string, queue: string): string =>
  isClusterUrl(redis_url) ? `{${scope}:${queue}}` : scope

/** The data that is sent through Redis: ids, without the job's payload. */
export type JobTicket = QueuedJob

/** The job queue of a process. */
export interface Jobs {
  /** Sends committed jobs to the workers. Never waits, never throws. */
  enqueue(jobs: readonly QueuedJob[]): void
  close(): Promise<void>
}

/** Kinds with a lower priority than the others of their class: there may be many mails about missed messages. */
const priorities: { readonly [K in JobKind]?: { priority: number } } = {
  missed_mail: { priority: 1 },
}

/** Opens the job queue. Returns at once, also while Redis is unreachable. Until the scope is known, nothing is sent. */
export const openJobs = (redis_url: string, scope: Scope): Jobs => {
  const connection = openRedis(redis_url)
  const openQueue = (name: JobClassName, begin: string) => {
    const queue = new Queue<JobTicket>(queueName(name), {
      connection,
      prefix: queuePrefix(redis_url, begin, queueName(name)),
      skipVersionCheck: true,
      skipMetasUpdate: true,
    })
    // An unreachable Redis is a state that `enqueue` checks, so connection errors are not reported.
    queue.on('error', () => {})
    return [name, queue] as const
  }
  const queues = new Map<JobClassName, Queue<JobTicket>>()
  scope.onKnown((begin) => {
    for (const name of jobClassNames) queues.set(...openQueue(name, begin))
  })
  return {
    enqueue(jobs) {
      // BullMQ would buffer jobs without a bound while Redis is unreachable.
      if (connection.status !== 'ready') return
      for (const [name, queue] of queues) {
        const tickets = jobs.filter(({ kind }) => jobClassOf(kind) === name).map(composeTicket)
        if (tickets.length > 0) queue.addBulk(tickets).catch(() => {})
      }
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close().catch(() => {})))
      connection.disconnect()
    },
  }
}

const composeTicket = ({ id, realm_id, kind }: QueuedJob) => ({
  name: kind,
  data: { id, realm_id, kind },
  // Prevents two tickets for one job. BullMQ refuses an id that is only a number.
  opts: { jobId: `job-${id}`, removeOnComplete: true, removeOnFail: true, ...priorities[kind] },
})
