/** Whether this process can do its work. */
import { findDatabaseProblem } from '../store/migrations.js'
import type { Sql } from '../store/sql.js'

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
    /** what keeps this process from using the database that answers */
    problem?: string
  }
}

/** Milliseconds after which Postgres counts as unreachable. */
const TIMEOUT_MS = 2_000
/** Milliseconds for which a result is used again: anyone may ask, and each question is a query. */
const LIFETIME_MS = 1_000

/** Opens the health of a process. @param sql the pool that its work uses */
export const openHealth = (sql: Sql): Health => {
  let isDraining = false
  let asked: { at: number; answer: Promise<HealthReport['postgres']> } | undefined

  const askPostgres = () => {
    const now = performance.now()
    if (asked === undefined || now - asked.at > LIFETIME_MS) asked = { at: now, answer: timeQuery(sql) }
    return asked.answer
  }

  return {
    drain() {
      isDraining = true
    },
    get isDraining() {
      return isDraining
    },
    async check() {
      const postgres = await askPostgres()
      const isReady = postgres.answers && postgres.problem === undefined && !isDraining
      return { isReady, isDraining, postgres }
    },
  }
}

const timeQuery = async (sql: Sql): Promise<HealthReport['postgres']> => {
  const began = performance.now()
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<{ answers: boolean }>((resolve) => {
    timer = setTimeout(() => resolve({ answers: false }), TIMEOUT_MS)
  })
  const asked = findDatabaseProblem(sql).then(
    (problem) => ({ answers: true, ...(problem === undefined ? {} : { problem }) }),
    () => ({ answers: false }),
  )
  const found = await Promise.race([asked, timedOut])
  clearTimeout(timer)
  return { ...found, milliseconds: Math.round(performance.now() - began) }
}
