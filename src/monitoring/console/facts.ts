/** What only Postgres knows about the deployment. It is asked only while an operator has the console open. */

import { loadFailedJobs } from '../../store/jobs/failed-jobs.js'
import { jobClasses, jobClassNames } from '../../store/jobs/job-classes.js'
import { countOpenJobs, type OpenJobs } from '../../store/jobs/job-table.js'
import { countQueues } from '../../store/register/queue-counts.js'
import type { Sql } from '../../store/sql.js'
import { loadRunningStatements, loadStatementStatistics } from '../../store/statement-statistics.js'
import type { DeploymentFacts, JobClassCounts } from './report.js'

/** Milliseconds for which the facts are used again, however many pages are open. */
const LIFETIME_MS = 4_000
const FAILED_JOBS = 50
const STATEMENTS = 15
/** Seconds after which a running statement is shown. */
const LONG_SECS = 1

/** Reads the facts; null while Postgres does not answer. */
export type ReadFacts = () => Promise<DeploymentFacts | null>

/** Opens the function that reads the facts, at most once in LIFETIME_MS. */
export const openFacts = (sql: Sql): ReadFacts => {
  let asked: { at: number; answer: Promise<DeploymentFacts | null> } | undefined
  return () => {
    const now = performance.now()
    if (asked === undefined || now - asked.at > LIFETIME_MS) asked = { at: now, answer: load(sql).catch(() => null) }
    return asked.answer
  }
}

const load = async (sql: Sql): Promise<DeploymentFacts> => {
  const [queues, open, failed_jobs, statements, running_statements] = await Promise.all([
    countQueues(sql),
    countOpenJobs(sql),
    loadFailedJobs(sql, FAILED_JOBS),
    loadStatementStatistics(sql, STATEMENTS),
    loadRunningStatements(sql, LONG_SECS, STATEMENTS),
  ])
  return { queues, jobs: sumByClass(open), failed_jobs, statements, running_statements }
}

const sumByClass = (open: readonly OpenJobs[]): JobClassCounts[] =>
  jobClassNames.map((name) => {
    const ofClass = open.filter(({ kind }) => jobClasses[name].kinds.includes(kind))
    const sum = (key: 'due' | 'scheduled' | 'failed') => ofClass.reduce((all, one) => all + one[key], 0)
    return {
      name,
      due: sum('due'),
      scheduled: sum('scheduled'),
      failed: sum('failed'),
      longest_wait: Math.max(0, ...ofClass.map(({ longest_wait }) => longest_wait)),
    }
  })
