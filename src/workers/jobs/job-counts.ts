/** Counts the jobs that this worker has run. */
import { Histogram } from '../../store/histogram.js'
import { type JobClassName, jobClassNames, jobClassOf } from '../../store/jobs/job-classes.js'
import type { JobKind } from '../../store/jobs/job-table.js'

/** Upper bounds of the durations of jobs, in seconds. */
const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]

/** The jobs of a worker since it started, by class. */
export class JobCounts {
  /** how many seconds the jobs took that were done */
  readonly durations = mapClasses(() => new Histogram(durationBounds))
  /** runs that ended with an error; a job that was only postponed is not counted */
  readonly failures = mapClasses(() => 0)

  /** Counts a job that was done. */
  countDone(kind: JobKind, seconds: number): void {
    this.durations[jobClassOf(kind)].add(seconds)
  }

  /** Counts a run that ended with an error. */
  countFailure(kind: JobKind): void {
    this.failures[jobClassOf(kind)] += 1
  }
}

const mapClasses = <T>(make: () => T): Record<JobClassName, T> =>
  Object.fromEntries(jobClassNames.map((name) => [name, make()])) as Record<JobClassName, T>
