/** Whether this process can do its work. */
import { findDatabaseProblem } from '../store/migrations.js'
import type { Sql } from '../store/sql.js'
import { withTimeout } from '../store/timeout.js'

export interface Health {
  /** Says that the process shuts down, and is not ready any more. */
  drain(): void
  readonly isDraining: boolean
  check(): Promise<HealthReport>
}

export interface HealthReport {
  isReady: boolean
  isDraining: boolean
  /** whether Postgres answers, and the milliseconds that it took */
  postgres: {
    answers: boolean
    milliseconds: number
    /** what keeps this process from using the database, whether it answers or not */
    problem?: string
  }
  /** whether Redis answers: without it the process works, and events, jobs and limits are slower or less exact */
  redis: { answers: boolean; problem?: string }
  /** what does not keep this process from its work, and an operator should repair */
  warnings: readonly string[]
}

/** Something that an operator should repair, as a sentence; undefined: nothing. */
export type FindWarning = () => Promise<string | undefined>

/** Milliseconds after which Postgres counts as unreachable. */
const TIMEOUT_MS = 2_000
/** Milliseconds for which a result is used again: anyone may ask, and each question is a query. */
const LIFETIME_MS = 1_000

/** Milliseconds for which warnings are used again. */
const WARNINGS_LIFETIME_MS = 10_000

/**
 * Opens the health of a process.
 * @param sql the pool that its work uses
 * @param findWarnings one that throws, or does not answer in time, warns of nothing
 */
export const openHealth = (
  sql: Sql,
  findWarnings: readonly FindWarning[] = [],
  findRedisProblem: () => string | undefined = () => undefined,
): Health => {
  let isDraining = false
  let asked: { at: number; answer: Promise<HealthReport['postgres']> } | undefined

  const askPostgres = () => {
    const now = performance.now()
    if (asked === undefined || now - asked.at > LIFETIME_MS) asked = { at: now, answer: timeQuery(sql) }
    return asked.answer
  }

  let warned: { at: number; found: Promise<string[]> } | undefined
  const findAll = async () => {
    const found = await Promise.all(
      findWarnings.map((find) => withTimeout(find(), TIMEOUT_MS, 'no answer').catch(() => undefined)),
    )
    return found.filter((warning) => warning !== undefined)
  }
  const askWarnings = () => {
    const now = performance.now()
    if (warned === undefined || now - warned.at > WARNINGS_LIFETIME_MS) warned = { at: now, found: findAll() }
    return warned.found
  }

  return {
    drain() {
      isDraining = true
    },
    get isDraining() {
      return isDraining
    },
    async check() {
      const [postgres, warnings] = await Promise.all([askPostgres(), askWarnings()])
      const isReady = postgres.answers && postgres.problem === undefined && !isDraining
      const problem = findRedisProblem()
      const redis = { answers: problem === undefined, ...(problem === undefined ? {} : { problem }) }
      return { isReady, isDraining, postgres, redis, warnings }
    },
  }
}

const timeQuery = async (sql: Sql): Promise<HealthReport['postgres']> => {
  const began = performance.now()
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<{ answers: boolean; problem: string }>((resolve) => {
    const problem = `it did not answer within ${TIMEOUT_MS / 1000} s`
    timer = setTimeout(() => resolve({ answers: false, problem }), TIMEOUT_MS)
  })
  const asked = findDatabaseProblem(sql).then(
    (problem) => ({ answers: true, ...(problem === undefined ? {} : { problem }) }),
    (error: Error) => ({ answers: false, problem: error.message }),
  )
  const found = await Promise.race([asked, timedOut])
  clearTimeout(timer)
  return { ...found, milliseconds: Math.round(performance.now() - began) }
}
