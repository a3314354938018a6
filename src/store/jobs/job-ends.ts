/** Waits, in a request, until the chain of jobs that the request started is complete. */
import type { Sql } from '../sql.js'

/** The chain of jobs: these values are in the payload of each of its jobs. */
export interface JobChain {
  kind: 'delete_topic' | 'mark_read'
  channel_id: number
  /** null: the whole channel */
  topic: string | null
  /** the user whose messages are marked as read */
  user_id?: number
}

/** Milliseconds between two queries for open jobs. */
const POLL_INTERVAL_MS = 50

/** Whether a job of the chain is not done. Index: jobs_open_by_realm. */
export const isRunning = async (sql: Sql, realm_id: number, chain: JobChain): Promise<boolean> => {
  const { kind, channel_id, topic, user_id = null } = chain
  const [job] = await sql`
    select from jobs
    where realm_id = ${realm_id} and kind = ${kind} and done_at is null
      and (payload ->> 'channel_id')::int = ${channel_id}
      and lower(payload ->> 'topic') is not distinct from lower(${topic})
      and (payload ->> 'user_id')::int is not distinct from ${user_id}::int
    limit 1`
  return job !== undefined
}

/**
 * Waits until all jobs of the chain are done.
 * @param end the latest time to wait until, on the clock of `performance.now()`
 * @returns whether they are done
 */
export const waitForJobs = async (end: number, sql: Sql, realm_id: number, chain: JobChain): Promise<boolean> => {
  while (await isRunning(sql, realm_id, chain)) {
    if (performance.now() >= end) return false
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
  return true
}
