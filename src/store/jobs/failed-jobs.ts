/** Jobs that failed, for operators: which they are, why they failed, and how to run one of them now. */
import type { Sql } from '../sql.js'
import { type JobKind, type QueuedJob, RESERVED_SECS } from './job-table.js'

/** A job that failed and will run again. */
export interface FailedJob {
  id: number
  /** the organization's string_id */
  realm: string
  kind: JobKind
  attempts: number
  /** the name and the message of the last error; null: it failed under a release that did not store it */
  last_error: string | null
  /** how many seconds ago it was written */
  age: number
  /** in how many seconds it runs again; not positive: it is due */
  runs_in: number
}

/** Loads the jobs that failed most often. Index: jobs_failed. */
export const loadFailedJobs = (sql: Sql, limit: number): Promise<FailedJob[]> => sql<FailedJob[]>`
  select j.id, r.string_id as realm, j.kind, j.attempts, j.last_error,
    extract(epoch from now() - j.created_at)::float8 as age,
    extract(epoch from j.run_after - now())::float8 as runs_in
  from jobs j join realms r on r.id = j.realm_id
  where j.done_at is null and j.attempts > 0
  order by j.attempts desc, j.id
  limit ${limit}`

/**
 * Makes failed jobs due. A job that becomes due within the time of a reservation may be running, because both look
 * alike in its row; it is left as it is.
 * @returns the jobs, for the queue
 */
export const retryFailedJobs = (sql: Sql, ids: readonly number[]): Promise<QueuedJob[]> => sql<QueuedJob[]>`
  update jobs set run_after = now()
  where id = any(${ids as number[]}) and done_at is null and attempts > 0
    and run_after > now() + make_interval(secs => ${RESERVED_SECS})
  returning id, realm_id, kind`
