/**
 * The reports of all gateways and workers, through Redis, so that any process can show every other.
 *
 * Redis and not Postgres, because a report is written every two seconds and may be lost: as rows they would be
 * write-ahead log and dead rows for nothing. Processes do not ask each other, because they often cannot: an operations
 * listener is on loopback, or behind a network policy.
 *
 * 1. A report and its samples expire on their own, so a process that died disappears after REMEMBERED_MS.
 * 2. How old a report is follows from the time that is left of its life: the clocks of the machines are not compared.
 * 3. No function throws: an unreachable Redis is a state.
 */

import { openRedis, tagKeys } from '../redis.js'
import type { Scope } from '../redis-scope.js'

/** A report that another process, or this one, has written. Both texts are JSON. */
export interface StoredReport {
  id: string
  report: string
  /** the newest first */
  samples: string[]
  /** milliseconds since it was written */
  age: number
}

export interface ProcessReports {
  /** Writes the report of this process, and adds a sample to its history. */
  write(report: string, sample: string): Promise<void>
  /** Reads all reports, each with its newest `samples` samples; undefined while Redis is away. */
  read(samples: number): Promise<StoredReport[] | undefined>
  /** Removes the report of this process, because it shuts down, and disconnects. */
  close(): Promise<void>
}

/** Milliseconds after which a process that reports nothing is forgotten. */
export const REMEMBERED_MS = 10 * 60_000
/** Samples that are kept of a process. */
export const SAMPLES_KEPT = 300

/**
 * Opens the reports.
 * @param scope until it is known, Redis counts as away
 * @param id the name of this process, which no other process has
 */
export const openProcessReports = (redis_url: string, scope: Scope, id: string): ProcessReports => {
  const redis = openRedis(redis_url)
  let begin = ''
  scope.onKnown((name) => {
    begin = tagKeys(redis_url, `${name}:process`)
  })
  const idsKey = () => `${begin}es`
  const reportKey = (process_id: string) => `${begin}:${process_id}`
  const samplesKey = (process_id: string) => `${begin}:${process_id}:samples`
  return {
    async write(report, sample) {
      if (begin === '') return
      const batch = redis
        .multi()
        .sadd(idsKey(), id)
        .set(reportKey(id), report, 'PX', REMEMBERED_MS)
        .lpush(samplesKey(id), sample)
        .ltrim(samplesKey(id), 0, SAMPLES_KEPT - 1)
        .pexpire(samplesKey(id), REMEMBERED_MS)
      await batch.exec().catch(() => {})
    },

    async read(samples) {
      if (begin === '') return undefined
      try {
        const ids = await redis.smembers(idsKey())
        if (ids.length === 0) return []
        const batch = redis.pipeline()
        for (const one of ids) {
          batch
            .get(reportKey(one))
            .pttl(reportKey(one))
            .lrange(samplesKey(one), 0, samples - 1)
        }
        const answers = (await batch.exec()) ?? []
        const found = ids.map((one, i) => {
          const [report, left, texts] = answers.slice(i * 3, i * 3 + 3).map(([, value]) => value)
          return { id: one, report, samples: texts as string[], age: REMEMBERED_MS - (left as number) }
        })
        const expired = found.filter(({ report }) => report === null).map((one) => one.id)
        if (expired.length > 0) await redis.srem(idsKey(), ...expired)
        return found.filter((one): one is StoredReport => typeof one.report === 'string')
      } catch {
        return undefined
      }
    },

    async close() {
      if (begin === '') return redis.disconnect()
      const batch = redis.multi().srem(idsKey(), id).del(reportKey(id), samplesKey(id))
      await batch.exec().catch(() => {})
      redis.disconnect()
    },
  }
}
