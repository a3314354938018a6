/**
 * Runs reads on standbys of Postgres, so that the primary has less to do: pages of history, search, exports.
 *
 * 1. A read sees every write that was answered before it. Each change moves the head of its realm's log in its own
 *    transaction. So a standby on which the head is at least the seq that this process has applied, which is at least
 *    the answer of the barrier (store/log/realm.ts), has all these changes.
 * 2. A read waits at most MAX_WAIT_MS until a standby has them, and not at all if another read has waited in vain
 *    within REST_MS. Otherwise it runs on the primary.
 * 3. A read that fails on a standby, for whatever reason (a lost connection, a conflict with the replay of the log),
 *    runs again on the primary. So a read changes nothing and locks no rows.
 * 4. All queries of one read run on one server: what the first one saw, the second one sees too.
 * 5. Only a server that is a standby now is used. A primary that was replaced can have commits that were never
 *    acknowledged, and does not know of later ones.
 * 6. A server that does not answer for NO_ANSWER_MS is not used, and reads that wait for it fail at once (3).
 * 7. The reads of one realm that run at the same time are limited, on the primary and on standbys (realm-slots.ts).
 *
 * The head is compared, and not the position in the write-ahead log (pg_last_wal_replay_lsn): other realms, jobs and
 * the index of words move that position all the time, so a quiet realm would wait for the replay of their writes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../domain/protocol/errors.js'
import { createHeadReader, type ReadHead } from '../log/heads.js'
import { runLongRead } from '../log/realm-slots.js'
import type { Probe } from '../primary.js'
import { openProbe, openSql, type Sql, splitServers } from '../sql.js'
import { withTimeout } from '../timeout.js'

/** How long a read waits for a standby, in milliseconds (2). */
const MAX_WAIT_MS = 100
/** Milliseconds between two questions whether a standby has a seq. */
const POLL_MS = 5
/** Milliseconds after a wait in vain, in which no read waits. */
const REST_MS = 1_000
/** Milliseconds between the answer of a server and the next question what it is. */
const PROBE_MS = 250
/** Milliseconds after which a server that does not answer is not used (6). */
const NO_ANSWER_MS = 2_000
/** Milliseconds for which operators are warned of a standby that is behind. */
const WARNING_MS = 30_000

/** What ran a read: a standby, or the primary because the standbys were behind, away, or failed. */
export type ReadResult = 'standby' | 'behind' | 'away' | 'failed'

/** The realm of a read, and the seq that the read must see. */
interface ReadRealm {
  readonly id: number
  readonly seq: number
}

/** Runs reads. */
export interface StandbyReads {
  /**
   * Runs `read` on a standby that has everything that the realm has applied here, or on the primary.
   * Throws OverloadError when too many reads of the realm wait (7).
   * @param read runs queries with the pool that it gets; it may run twice (3)
   */
  run<T>(realm: ReadRealm, read: (sql: Sql) => Promise<T>): Promise<T>
  /** the number of reads, since the process started */
  readonly counts: Readonly<Record<ReadResult, number>>
  /** What operators should repair; undefined: nothing. */
  findWarning(): string | undefined
  close(): Promise<void>
}

/**
 * Opens the standbys.
 * @param read_url names them; undefined: all reads run on the primary
 * @param connections to each standby
 */
export const openStandbyReads = (primary: Sql, read_url: string | undefined, connections: number): StandbyReads => {
  const standbys = (read_url === undefined ? [] : splitServers(read_url)).map((url) => openStandby(url, connections))
  const counts = { standby: 0, behind: 0, away: 0, failed: 0 }
  let turn = 0

  const runInSlot = async <T>(realm: ReadRealm, read: (sql: Sql) => Promise<T>): Promise<T> => {
    if (standbys.length === 0) return read(primary)
    const usable = standbys.filter((standby) => standby.isUsable())
    const standby = usable[turn++ % usable.length]
    if (standby === undefined) {
      counts.away += 1
      return read(primary)
    }
    const reached = await standby.waitForSeq(realm.id, realm.seq)
    if (reached !== true) {
      counts[reached] += 1
      return read(primary)
    }
    try {
      const result = await read(standby.sql)
      counts.standby += 1
      return result
    } catch (error) {
      if (error instanceof ApiError) throw error
      counts.failed += 1
      return read(primary)
    }
  }

  return {
    counts,
    run: (realm, read) => runLongRead(realm, () => runInSlot(realm, read)),
    findWarning() {
      for (const { name, findProblem } of standbys) {
        const problem = findProblem()
        if (problem !== undefined)
          return `DATABASE_READ_URL: the primary does the work of the standby ${name}: ${problem}.`
      }
      return undefined
    },
    async close() {
      await Promise.all(standbys.map((standby) => standby.close()))
    },
  }
}

/** One standby. */
interface Standby {
  /** host and port */
  name: string
  readonly sql: Sql
  /** Whether it is a standby that answers (5, 6). */
  isUsable(): boolean
  /** Why reads run on the primary instead; undefined: they do not, or it was not asked yet. */
  findProblem(): string | undefined
  /** Waits until it has this seq (2). @returns true, or why the read must not run on it */
  waitForSeq(realm_id: number, seq: number): Promise<true | 'behind' | 'away'>
  close(): Promise<void>
}

const openStandby = (url: string, connections: number): Standby => {
  const openPool = (): { sql: Sql; readHead: ReadHead } => {
    const sql = openSql(url, connections)
    return { sql, readHead: createHeadReader(sql) }
  }
  let pool = openPool()
  let wasAsked = false
  let problem: string | undefined
  let behindAt = Number.NEGATIVE_INFINITY
  let silentAt = Number.NEGATIVE_INFINITY
  const closing = new AbortController()

  const isUsable = () => wasAsked && problem === undefined

  /** Closes the connections at once, so that what waits for an answer fails (6). */
  const replacePool = () => {
    const previous = pool
    pool = openPool()
    void previous.sql.end({ timeout: 0 }).catch(() => {})
  }

  const watch = async () => {
    let probe: Probe | undefined
    while (!closing.signal.aborted) {
      try {
        probe ??= openProbe(url)
        const late = `it did not answer within ${NO_ANSWER_MS / 1000} s`
        const { is_standby } = await withTimeout(probe.ask(), NO_ANSWER_MS, late)
        // Before the first read, because opening a connection may take longer than a read waits.
        if (is_standby && !isUsable()) await withTimeout(pool.sql`select`, NO_ANSWER_MS, late)
        problem = is_standby ? undefined : 'it is no standby'
        wasAsked = true
      } catch (error) {
        probe?.close()
        probe = undefined
        if (problem === undefined) replacePool()
        problem = (error as Error).message
        wasAsked = true
      }
      await sleep(PROBE_MS, undefined, { ref: false, signal: closing.signal }).catch(() => {})
    }
    probe?.close()
  }
  const watching = watch()

  return {
    name: new URL(url).host,
    get sql() {
      return pool.sql
    },
    isUsable,
    findProblem: () => problem ?? (performance.now() - behindAt < WARNING_MS ? 'it is behind' : undefined),
    async waitForSeq(realm_id, seq) {
      const began = performance.now()
      if (began - silentAt < REST_MS) return 'away'
      const { readHead } = pool
      const wait = began - behindAt < REST_MS ? 0 : MAX_WAIT_MS
      for (;;) {
        try {
          const head = await withTimeout(readHead(realm_id), MAX_WAIT_MS, 'it did not tell its head')
          if (head >= seq) return true
        } catch {
          silentAt = performance.now()
          return 'away'
        }
        if (performance.now() - began >= wait) {
          if (wait > 0) behindAt = performance.now()
          return 'behind'
        }
        await sleep(POLL_MS)
      }
    },
    async close() {
      closing.abort()
      await Promise.all([watching, pool.sql.end({ timeout: 1 })])
    },
  }
}
