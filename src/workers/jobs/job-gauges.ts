/** The metrics of jobs: how many are due, and how long they have waited. */
import type { Metrics } from '../../monitoring/metrics.js'
import { type JobClassName, jobClassNames, jobClassOf } from '../../store/jobs/job-classes.js'
import { type DueJobs, loadDueCounts } from '../../store/jobs/job-table.js'
import type { Sql } from '../../store/sql.js'

/** Registers the gauges, by class of jobs. Every worker shows the jobs of the whole deployment. */
export const addJobGauges = (metrics: Metrics, sql: Sql): void => {
  let asked: Promise<DueJobs[]> | undefined
  /** One query for all gauges of a scrape. */
  const load = () => {
    asked ??= loadDueCounts(sql).finally(() => {
      asked = undefined
    })
    return asked
  }
  const read = (combine: (kinds: readonly DueJobs[]) => number) => async (): Promise<Record<JobClassName, number>> => {
    const due = await load().catch(() => undefined)
    const value = (name: JobClassName) =>
      due === undefined ? Number.NaN : combine(due.filter(({ kind }) => jobClassOf(kind) === name))
    return Object.fromEntries(jobClassNames.map((name) => [name, value(name)])) as Record<JobClassName, number>
  }
  metrics.gauges(
    'parley_jobs_due',
    'Jobs of all workers that are due and not done',
    'class',
    read((kinds) => kinds.reduce((sum, { count }) => sum + count, 0)),
  )
  metrics.gauges(
    'parley_jobs_longest_wait_seconds',
    'How long the longest overdue job has waited',
    'class',
    read((kinds) => kinds.reduce((longest, { longest_wait }) => Math.max(longest, longest_wait), 0)),
  )
}
