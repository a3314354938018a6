/**
 * The release that this deployment runs, and the `restart` event for clients when it changes.
 *
 * A restart of a process is invisible to clients: their queues continue. A new release may behave differently, so the
 * first process of a release sends clients a `restart` event, once. Source: protocol/events.md 3.6, `restart`.
 */
import { secondsNow } from '#rules/time.js'
import { type QueuedJob, writeJobForEachRealm } from '../jobs/job-table.js'
import type { Sql } from '../sql.js'

/**
 * Records that this release runs here. Its name is that of the version and its build: what clients are shown as version
 * is the level of the protocol, which stays the same. If another release ran before, adds a job for every organization.
 * @returns since when it runs, in UNIX seconds, and the jobs
 */
export const beginRelease = (sql: Sql, name: string): Promise<{ began_at: number; jobs: QueuedJob[] }> =>
  sql.begin(async (tx) => {
    const [known] = await tx<{ began_at: number }[]>`select began_at from releases where name = ${name}`
    if (known !== undefined) return { began_at: known.began_at, jobs: [] }
    // The lock lets only one of several processes that start at once insert the release.
    await tx`lock table releases in exclusive mode`
    const before = await tx<{ name: string; began_at: number }[]>`select name, began_at from releases`
    const other = before.find((release) => release.name === name)
    if (other !== undefined) return { began_at: other.began_at, jobs: [] }
    const began_at = secondsNow()
    await tx`insert into releases (name, began_at) values (${name}, ${began_at})`
    // A new deployment had no release before: there is nothing to announce.
    if (before.length === 0) return { began_at, jobs: [] }
    return { began_at, jobs: await writeJobForEachRealm(tx, { kind: 'restart_news', payload: { began_at } }) }
  })

/**
 * Returns since when this release runs here, in UNIX seconds. The first successful answer of Postgres is cached.
 * @param name of the release
 * @param enqueue receives the jobs that announce the release
 */
export const openRelease = (
  sql: Sql,
  name: string,
  enqueue: (jobs: readonly QueuedJob[]) => void,
): (() => Promise<number>) => {
  let begun: Promise<number> | undefined
  const begin = async () => {
    try {
      const { began_at, jobs } = await beginRelease(sql, name)
      enqueue(jobs)
      return began_at
    } catch (error) {
      begun = undefined
      throw error
    }
  }
  return () => {
    begun ??= begin()
    return begun
  }
}
