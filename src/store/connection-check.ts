/**
 * Whether the connections to a Postgres can carry the work of this program, also when a proxy such as PgBouncer opens
 * them.
 *
 * 1. A connection must be one session of Postgres for all its statements: migrations and moves of organizations hold
 *    locks of their session, and statements stay prepared. A proxy that gives each transaction, or each statement,
 *    another session is refused.
 * 2. A session without a proxy is recognized for certain: it tells the driver the process id that Postgres itself has.
 * 3. A single statement must run as `read committed`. The parameter of sql.ts has this effect; where a proxy drops it,
 *    the role must have it.
 * 4. A parameter that a proxy refuses is left out from then on, and what it would set is checked.
 * 5. A driver on which its patches have no effect is refused (driver/driver-check.ts).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { findDriverProblem } from './driver/driver-check.js'
import { noteRefusedParameter, openSql, type Sql, splitServers } from './sql.js'
import { withTimeout } from './timeout.js'

/** A database that the program must not use. */
export class UnusableDatabaseError extends Error {}

/** Milliseconds that the start of a process waits for the check, before it goes on without the answer. */
const START_MS = 2_000
/** Milliseconds between two attempts while Postgres cannot be reached. */
const RETRY_MS = 500
/** Sessions that are kept busy, one after the other, until one of them is that of the asked connection. */
const BUSY_SESSIONS = 4
/** Milliseconds after which a proxy counts as having no session left. */
const NO_SESSION_MS = 1_000

/**
 * Finds why the program cannot use the connections of a URL. Returns a sentence for the operator, or undefined if the
 * program can use them (1-5).
 * Throws when the server cannot be reached.
 * @param variable the name of the variable with the URL
 */
export const findConnectionProblem = async (variable: string, database_url: string): Promise<string | undefined> => {
  const driverProblem = await findDriverProblem()
  if (driverProblem !== undefined) return driverProblem
  const { isDirect, isolation, role } = await askSession(database_url)
  if (isolation !== 'read committed') {
    return (
      `${variable}: transactions are ${isolation} by default, and the proxy does not pass the parameter that changes` +
      ` it. Run: alter role "${role}" set default_transaction_isolation = 'read committed'`
    )
  }
  const mode = isDirect ? undefined : await findPoolMode(database_url)
  if (mode === undefined) return undefined
  return (
    `${variable}: the proxy in front of Postgres (such as PgBouncer) is in ${mode} mode: each ${mode} can get` +
    ' another session of Postgres. Parley needs one session per connection: use pool_mode = session.'
  )
}

interface Session {
  isDirect: boolean
  isolation: string
  role: string
}

/** Asks a session what it is, without the parameters that a proxy refuses (4). */
const askSession = async (database_url: string): Promise<Session> => {
  for (;;) {
    const sql = openSql(database_url, 1)
    try {
      const found = await sql<(Omit<Session, 'isDirect'> & { pid: number })[]>`
        select pg_backend_pid() as pid, current_user as role,
          current_setting('default_transaction_isolation') as isolation`
      const [row] = found
      if (row === undefined) throw new Error('Postgres returned no row')
      return { isDirect: (found.state as { pid?: number }).pid === row.pid, isolation: row.isolation, role: row.role }
    } catch (error) {
      if (!noteRefusedParameter(database_url, error)) throw error
    } finally {
      await sql.end({ timeout: 1 })
    }
  }
}

/**
 * Finds out whether a proxy changes the session of a connection. In transaction mode, the session that the connection
 * had is free after its statement: either the connection gets another one, or another connection gets this one.
 */
const findPoolMode = async (database_url: string): Promise<'transaction' | 'statement' | undefined> => {
  if (await refusesTransactions(database_url)) return 'statement'
  const sql = openSql(database_url, 1)
  const others: Sql[] = []
  try {
    const pids = new Set([await askPid(sql)])
    while (others.length < BUSY_SESSIONS) {
      const other = openSql(database_url, 1)
      others.push(other)
      const busy = other.unsafe('begin').then(() => askPid(other))
      busy.catch(() => {})
      // No session is left: either all connections of this mode have theirs, or all are busy and change all the time.
      const pid = await withTimeout(busy, NO_SESSION_MS, 'no session is left').catch(() => undefined)
      if (pid !== undefined && pids.has(pid)) return 'transaction'
      for (let i = 0; i < (pid === undefined ? 20 : 1); i++) pids.add(await askPid(sql))
      if (pids.size > 1) return 'transaction'
      if (pid === undefined) return undefined
    }
    return undefined
  } finally {
    await Promise.all([sql, ...others].map((pool) => pool.end({ timeout: 0 })))
  }
}

/** Whether sessions that answer do not begin transactions. One refusal can be the loss of the connection. */
const refusesTransactions = async (database_url: string): Promise<boolean> => {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const sql = openSql(database_url, 1)
    try {
      await askPid(sql)
      const hasBegun = await sql.unsafe('begin').then(
        () => true,
        () => false,
      )
      if (hasBegun) return false
    } finally {
      await sql.end({ timeout: 0 })
    }
  }
  return true
}

const askPid = async (sql: Sql): Promise<number> => {
  const [row] = await sql.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid')
  if (row === undefined) throw new Error('Postgres returned no row')
  return row.pid
}

/** The variables with addresses of Postgres. */
export interface DatabaseVariables {
  DATABASE_URL: string
  DATABASE_READ_URL?: string | undefined
}

/**
 * Throws UnusableDatabaseError when a process must not use its databases. While they cannot be reached, it returns
 * after START_MS, because a process waits for them; the check goes on then.
 * @param onLateProblem is called with a problem that was found after the return
 */
export const requireUsableDatabases = async (
  { DATABASE_URL, DATABASE_READ_URL }: DatabaseVariables,
  onLateProblem: (problem: string) => void,
): Promise<void> => {
  const standbys = DATABASE_READ_URL === undefined ? [] : splitServers(DATABASE_READ_URL)
  const checks = [
    checkUntilAnswered('DATABASE_URL', DATABASE_URL),
    ...standbys.map((url) => checkUntilAnswered('DATABASE_READ_URL', url)),
  ]
  let hasReturned = false
  const all = checks.map(async (check) => {
    const problem = await check
    if (problem === undefined) return
    if (hasReturned) onLateProblem(problem)
    else throw new UnusableDatabaseError(problem)
  })
  try {
    await Promise.race([Promise.all(all), sleep(START_MS)])
  } finally {
    hasReturned = true
  }
}

const checkUntilAnswered = async (variable: string, url: string): Promise<string | undefined> => {
  for (;;) {
    try {
      return await findConnectionProblem(variable, url)
    } catch {
      // The process says by itself that Postgres cannot be used (monitoring/outages.ts).
      await sleep(RETRY_MS, undefined, { ref: false })
    }
  }
}
