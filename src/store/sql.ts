/** Pools of connections to Postgres: to one server, or to the primary of several. What errors mean for the caller. */
import type { Socket } from 'node:net'
import { splitDatabaseUrl } from '../domain/net/database-urls.js'
import {
  type Fragment,
  type JsonValue,
  openDriver,
  type PoolOptions,
  PostgresError,
  type ReservedSql,
  type Sql,
  type Transaction,
} from './driver/driver.js'
import { NoPrimaryError, type PrimaryFinder, type Probe, type ServerAnswer, watchServers } from './primary.js'
import { closeWhenSilent } from './silent-connections.js'

export type { Fragment, ReservedSql, Sql, Transaction }

/** A pool or a transaction: either can run a query. */
export type Db = Sql | Transaction

/** Seconds that the queries of a pool have to finish when it is closed. */
const END_SECONDS = 5

/**
 * Opens a pool of `max` connections. Nothing connects before the first query. Throws UnreplicatedCommitError from a
 * commit whose wait for the standby was cancelled, and NoPrimaryError from a query while no server is the primary.
 * @param database_url with several servers, connections go to the primary (primary.ts)
 * @param silence_ms a connection without TLS is closed when a statement gets no answer for so long
 *   (silent-connections.ts); undefined: never, because statements may take long
 */
export const openSql = (database_url: string, max = 10, { silence_ms }: { silence_ms?: number } = {}): Sql => {
  const urls = splitServers(database_url)
  const [url = '', ...others] = urls
  const watch = (socket: Socket) => {
    if (silence_ms !== undefined) closeWhenSilent(socket, silence_ms)
    return socket
  }
  if (others.length > 0) return openPoolOfPrimary(urls, max, watch)
  const { hostname, port } = new URL(url)
  // A URL without a host names a socket of this machine.
  if (silence_ms === undefined || hostname === '') return openPool(url, max)
  return openPool(url, max, { open: (connect) => connect(hostname, Number(port || 5432)).then(watch) })
}

/**
 * Opens a pool for COPY. The driver sends the end of a COPY in a small message of its own, which the operating system
 * holds back until the server has acknowledged the one before: 40 ms and more for each COPY. Throws
 * UnreplicatedCommitError and NoPrimaryError as the pool of `openSql` does.
 */
export const openCopySql = (database_url: string, max: number): Sql => {
  const [url = '', ...others] = splitServers(database_url)
  const { hostname, port } = new URL(url)
  // A pool of several servers sends at once anyway. A URL without a host names a socket of this machine.
  if (others.length > 0 || hostname === '') return openSql(database_url, max)
  return openPool(url, max, { open: (connect) => connect(hostname, Number(port || 5432)), isPadded: true })
}

/** Splits a URL into one URL per server. Throws an Error that says what is wrong with the URL. */
export const splitServers = (database_url: string): string[] => {
  const urls = splitDatabaseUrl(database_url)
  if (typeof urls === 'string') throw new Error(`The URL of Postgres ${urls}.`)
  return urls
}

/** Parameters that the server of a URL refused at the start of a connection: it is a proxy. */
const refusedParameters = new Map<string, Set<string>>()

/**
 * Whether an error means that a proxy refuses a parameter. All connections of this process to it are opened without
 * the parameter from now on.
 */
export const noteRefusedParameter = (database_url: string, error: unknown): boolean => {
  const text = error instanceof PostgresError ? error.message : ''
  const name = /^unsupported startup parameter(?: in options)?: (\w+)/.exec(text)?.[1]
  if (name === undefined) return false
  for (const url of splitServers(database_url)) {
    const known = refusedParameters.get(url) ?? new Set()
    refusedParameters.set(url, known.add(name))
  }
  return true
}

const openPool = (url: string, max: number, more: Pick<PoolOptions, 'open' | 'isPadded'> = {}): Sql =>
  openDriver(url, {
    max,
    parameters: {
      application_name: 'parley',
      // A statement is planned once, for all values: each walks along indexes by the way it is written.
      // Left to itself, Postgres plans it again at each call whenever it estimates less for the values than
      // for any, as for a small realm beside a large one. Planning takes longer than most statements.
      plan_cache_mode: 'force_generic_plan',
      // Without it, a role whose default is another level gets errors of serialization from single statements.
      default_transaction_isolation: 'read committed',
    },
    isRefused: (name) => refusedParameters.get(url)?.has(name) === true,
    ...more,
  })

/** The finders of this process, one per URL: its pools share the connections over which servers are asked. */
const finders = new Map<string, { finder: PrimaryFinder; pools: number }>()

const acquireFinder = (urls: readonly string[]): { finder: PrimaryFinder; release(): void } => {
  const key = urls.join()
  const cached = finders.get(key)
  const shared = cached ?? { finder: watchServers(urls.length, (i) => openProbe(urls[i] ?? ''), isTooBusy), pools: 0 }
  finders.set(key, shared)
  shared.pools += 1
  return {
    finder: shared.finder,
    release() {
      shared.pools -= 1
      if (shared.pools > 0) return
      shared.finder.close()
      finders.delete(key)
    },
  }
}

/** Whether a server that refused a probe works: it has no connection left. */
const isTooBusy = (error: unknown): boolean => error instanceof PostgresError && error.code === '53300'

/** Opens a connection over which one server is asked what it is. */
export const openProbe = (url: string): Probe => {
  const sql = openDriver(url, { max: 1, parameters: { application_name: 'parley probe' } })
  return {
    async ask() {
      // The first eight digits of the name of the log's file are the timeline. A standby cannot be asked for it.
      const [answer] = await sql<ServerAnswer[]>`
        select pg_is_in_recovery() as is_standby, case when pg_is_in_recovery() then 0
          else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`
      if (answer === undefined) throw new Error('it returned no row')
      return answer
    },
    close: () => void sql.end({ timeout: 0 }).catch(() => {}),
  }
}

/**
 * Opens a pool of connections to the primary. A connection to another server is closed as soon as the primary changes,
 * and what it does fails: a server that was replaced would keep a commit waiting for ever.
 */
const openPoolOfPrimary = (urls: readonly string[], max: number, watch: (socket: Socket) => Socket): Sql => {
  const { finder, release } = acquireFinder(urls)
  const servers = urls.map((url) => new URL(url))
  const open = new Map<Socket, number>()
  const stopListening = finder.onChange(() => {
    for (const [socket, server] of open) if (server !== finder.current) socket.destroy()
  })
  const openToPrimary: PoolOptions['open'] = async (connect) => {
    const server = await finder.find()
    const { hostname, port } = servers[server] as URL
    const connected = await connect(hostname, Number(port || 5432))
    if (server !== finder.current) {
      connected.destroy()
      throw new NoPrimaryError('The Postgres primary changed while a connection was opened')
    }
    open.set(connected, server)
    connected.once('close', () => open.delete(connected))
    return watch(connected)
  }
  const sql = openPool(urls[0] ?? '', max, { open: openToPrimary, isPadded: true })
  const end = sql.end.bind(sql)
  return Object.assign(sql, {
    // The driver waits for ever for a connection that was lost during a query and not used again.
    async end(options?: { timeout?: number }) {
      await end({ timeout: END_SECONDS, ...options })
      stopListening()
      release()
    },
  })
}

/** Makes a json parameter of a value. The driver's type of JSON values is narrower than that of JSON.stringify. */
export const json = (sql: Db, value: unknown) => sql.json(value as JsonValue)

/** Whether an error means that two transactions were in conflict. The work can run again then. */
export const isConflict = (error: unknown): boolean =>
  error instanceof PostgresError && ['40P01', '40001', '23505'].includes(error.code)

/**
 * Whether an error means that a lock was not available in time. It is also true if waiting for the lock was a deadlock.
 */
export const isLockConflict = (error: unknown): boolean =>
  error instanceof PostgresError && ['55P03', '40P01'].includes(error.code)

/** Whether an error means that the database has no such table. */
export const isMissingTable = (error: unknown): boolean => error instanceof PostgresError && error.code === '42P01'

/** SQLSTATE codes of a server that ends connections, starts, has no connection left, or is a standby; and class 08. */
const UNAVAILABLE_STATES = /^(57P0[123]|53300|25006|08...)$/
/** SQLSTATE codes of a server whose disk or memory is full, or whose disk fails: an operator has to repair it. */
const EXHAUSTED_STATES = /^(53[12]00|58030)$/
/** What the driver and Node call a connection that could not be opened, or was lost. */
const CONNECTION_ERRORS = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'COMMIT_NOT_REPLICATED',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'NO_PRIMARY',
  // store/overload.ts
  'OVERLOADED',
])

/**
 * Whether an error means that Postgres cannot be used now. A later attempt can succeed. Whether a change took effect is
 * unknown if its connection was lost during its commit, or if no standby confirmed it.
 */
export const isUnavailable = (error: unknown): boolean => {
  if (error instanceof PostgresError) return UNAVAILABLE_STATES.test(error.code) || isExhausted(error)
  // Errors of the object storage can have the same codes; its client adds $metadata to them.
  if (!(error instanceof Error) || '$metadata' in error) return false
  return CONNECTION_ERRORS.has((error as NodeJS.ErrnoException).code ?? '')
}

/**
 * SQLSTATE codes of statements that Postgres stops, or does not execute, for a reason outside of them: time limits of
 * the role, an administrator who cancels it, a prepared statement that is lost, and a conflict of serialization.
 */
const INTERRUPTED_STATES = /^(57014|57P05|55P03|25P0[34]|26000|40...)$/

/**
 * Whether an error means that Postgres did not finish a statement. The reason is outside of the statement, and a later
 * attempt can succeed. An operator should look at it.
 */
export const isInterrupted = (error: unknown): boolean =>
  error instanceof PostgresError && (INTERRUPTED_STATES.test(error.code) || error.routine === 'RevalidateCachedQuery')

/** Whether an error means that the disk or the memory of Postgres is full. It is also true if the disk fails. */
export const isExhausted = (error: unknown): boolean =>
  error instanceof PostgresError && EXHAUSTED_STATES.test(error.code)
