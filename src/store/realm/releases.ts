/**
 * Which release this deployment runs, and telling clients when it is another one.
 *
 * A process that starts anew is nothing that clients would notice: their queues go on. But another release may speak
 * otherwise, so they hear of that, once, from whichever process of it starts first. Source: events.md 3.6, `restart`.
 */
import { apiFeatureLevel, shownVersion } from '../../domain/limits/limits.js'
import { secondsNow } from '../../domain/permissions/permissions.js'
import { type QueuedJob, writeJobForEach } from '../jobs/job-table.js'
import type { Sql } from '../sql.js'

/** What clients see of a release. */
export const thisRelease = `${shownVersion} at level ${apiFeatureLevel}`

/**
 * Notes that this release runs here. If another one did before, every organization is told by a job.
 * @returns since when it runs, in UNIX seconds, and the jobs
 */
export const beginRelease = (sql: Sql, name = thisRelease): Promise<{ began_at: number; jobs: QueuedJob[] }> =>
  sql.begin(async (tx) => {
    const [known] = await tx<{ began_at: number }[]>`select began_at from releases where name = ${name}`
    if (known !== undefined) return { began_at: known.began_at, jobs: [] }
    // Of processes that start at once, one is the first.
    await tx`lock table releases in exclusive mode`
    const before = await tx<{ name: string; began_at: number }[]>`select name, began_at from releases`
    const other = before.find((release) => release.name === name)
    if (other !== undefined) return { began_at: other.began_at, jobs: [] }
    const began_at = secondsNow()
    await tx`insert into releases (name, began_at) values (${name}, ${began_at})`
    // The first one there ever was follows none.
    if (before.length === 0) return { began_at, jobs: [] }
    return { began_at, jobs: await writeJobForEach(tx, { kind: 'restart_news', payload: { began_at } }) }
  })

/**
 * Since when this release runs here, in UNIX seconds: asked of Postgres until it has answered once.
 * @param enqueue takes the jobs that tell of it
 */
export const openRelease = (sql: Sql, enqueue: (jobs: readonly QueuedJob[]) => void): (() => Promise<number>) => {
  let begun: Promise<number> | undefined
  const begin = async () => {
    try {
      const { began_at, jobs } = await beginRelease(sql)
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
