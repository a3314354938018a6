/**
 * The durable side of jobs: a job is a row, written in the transaction that wants it and marked done in the
 * transaction that does the work; so its effect happens once, however often it runs.
 */
import type { Db, Sql, Transaction } from './sql.js'

/** Kinds of jobs, and what each one needs to know: ids, not rows. */
export interface JobPayloads {
  /** tells people that somebody subscribed them to channels */
  subscription_notices: { actor_id: number; user_channels: { user_id: number; channel_ids: number[] }[] }
}

export type JobKind = keyof JobPayloads

export type JobSpec = { [K in JobKind]: { kind: K; payload: JobPayloads[K] } }[JobKind]

export interface JobRow {
  id: number
  realm_id: number
  kind: JobKind
  payload: JobPayloads[JobKind]
}

/** Statements that write these jobs. */
export const writeJobs = (tx: Transaction, realm_id: number, jobs: readonly JobSpec[]): Promise<unknown>[] =>
  jobs.map(
    (job) => tx`
      insert into jobs (realm_id, kind, payload)
      values (${realm_id}, ${job.kind}, ${JSON.stringify(job.payload)}::text::json)`,
  )

/** Jobs that are due and not done, oldest first. Index: jobs_open. */
export const openJobs = (sql: Sql, limit: number): Promise<{ id: number; kind: JobKind }[]> => sql<
  { id: number; kind: JobKind }[]
>`
    select id, kind from jobs where done_at is null and run_after <= now() order by run_after limit ${limit}`

/** The job, locked for this transaction; undefined when it is done, or another worker has it. */
export const claimJob = async (tx: Transaction, id: number): Promise<JobRow | undefined> => {
  const [job] = await tx<JobRow[]>`
    select id, realm_id, kind, payload from jobs
    where id = ${id} and done_at is null
    for update skip locked`
  return job
}

export const finishJob = (tx: Db, id: number): Promise<unknown> => tx`
  update jobs set done_at = now() where id = ${id}`

/** Puts a failed job off: later each time, an hour at most. */
export const postponeJob = (sql: Sql, id: number): Promise<unknown> => sql`
  update jobs set attempts = attempts + 1,
    run_after = now() + make_interval(secs => least(3600, power(2, attempts)::int))
  where id = ${id}`
