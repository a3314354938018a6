/** The metrics of jobs: those that wait in the whole deployment, and those that this worker has run. */
import { composeHistogram } from '../../monitoring/histogram.js'
import type { Metrics } from '../../monitoring/metrics.js'
import { type JobClassName, jobClassNames, jobClassOf } from '../../store/jobs/job-classes.js'
import { countOpenJobs, type OpenJobs } from '../../store/jobs/job-table.js'
import { countQueues } from '../../store/register/queue-counts.js'
import type { Sql } from '../../store/sql.js'
import type { JobCounts } from './job-counts.js'

/**
 * Registers the metrics, by class of jobs. Every worker shows the waiting jobs, and the event queues, of the whole
 * deployment.
 */
export const addJobMetrics = (metrics: Metrics, sql: Sql, counts: JobCounts): void => {
  let asked: Promise<OpenJobs[]> | undefined
  /** One query for all gauges of a scrape. */
  const load = () => {
    asked ??= countOpenJobs(sql).finally(() => {
      asked = undefined
    })
    return asked
  }
  const read = (combine: (kinds: readonly OpenJobs[]) => number) => async (): Promise<Record<JobClassName, number>> => {
    const open = await load().catch(() => undefined)
    const value = (name: JobClassName) =>
      open === undefined ? Number.NaN : combine(open.filter(({ kind }) => jobClassOf(kind) === name))
    return Object.fromEntries(jobClassNames.map((name) => [name, value(name)])) as Record<JobClassName, number>
  }
  metrics.gauges(
    'parley_jobs_due',
    'Jobs of all workers that are due and not done',
    'class',
    read((kinds) => kinds.reduce((sum, { due }) => sum + due, 0)),
  )
  metrics.gauges(
    'parley_jobs_longest_wait_seconds',
    'How long the longest overdue job has waited',
    'class',
    read((kinds) => kinds.reduce((longest, { longest_wait }) => Math.max(longest, longest_wait), 0)),
  )
  metrics.gauges(
    'parley_jobs_failed',
    'Jobs of all workers that failed and will run again',
    'class',
    read((kinds) => kinds.reduce((sum, { failed }) => sum + failed, 0)),
  )
  metrics.gauge('parley_event_queues', 'Registered event queues of the whole deployment', () =>
    countQueues(sql).catch(() => Number.NaN),
  )
  metrics.counter('parley_job_failures_total', 'Runs of jobs that ended with an error', () => counts.failures, 'class')
  const durations = Object.entries(counts.durations)
  metrics.register(
    composeHistogram(
      'parley_job_duration_seconds',
      'Jobs that this worker has done, by class',
      durations[0]?.[1].bounds ?? [],
      () => durations.map(([name, { buckets, sum }]) => ({ labels: { class: name }, buckets, sum })),
    ),
  )
}
