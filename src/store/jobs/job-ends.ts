/** Waiting for work on a channel that a chain of jobs does, in a request that asked for it. */
import type { Sql } from '../sql.js'

/** The work, as the payload of each of its jobs says it. */
export interface LongWork {
  kind: 'delete_topic' | 'mark_read'
  channel_id: number
  /** null: all of the channel */
  topic: string | null
  /** for whom it is done, where that is somebody's own affair */
  user_id?: number
}

/** How often a request looks whether it is done, in milliseconds. */
const LOOK_MS = 50

/** Whether a job of the work is open. Index: jobs_open. */
export const isUnderWay = async (sql: Sql, realm_id: number, work: LongWork): Promise<boolean> => {
  const { kind, channel_id, topic, user_id = null } = work
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
 * Waits until nothing of the work is under way any more.
 * @param end when to give up, as `performance.now()` counts
 * @returns whether it came to an end
 */
export const endsBy = async (end: number, sql: Sql, realm_id: number, work: LongWork): Promise<boolean> => {
  while (await isUnderWay(sql, realm_id, work)) {
    if (performance.now() >= end) return false
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return true
}
