/**
 * The connection to Postgres: the pool and the types of values. Only this file imports the driver.
 *
 * int8 is parsed as a JavaScript number, because ids and seconds stay far below 2^53.
 * json and jsonb are parsed as values.
 */
import postgres from 'postgres'

/** A pool of connections. */
export type Sql = postgres.Sql<{ int8: number }>
/** A transaction. */
export type Transaction = postgres.TransactionSql<{ int8: number }>
/** A pool or a transaction: either can run a query. */
export type Db = Sql | Transaction
/** A part of a statement, which other statements can contain. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** Seconds between two attempts to connect. Each attempt costs a gateway and Postgres little, so it never grows. */
const RECONNECT_SECONDS = 0.25
/** Seconds after which an attempt to connect fails. */
const CONNECT_TIMEOUT_SECONDS = 5

/** Opens a pool of `max` connections. Nothing connects before the first query. */
export const openSql = (database_url: string, max = 10): Sql =>
  postgres(database_url, {
    max,
    // The driver's own delay grows to 20 seconds: calls would wait that long after Postgres is back.
    backoff: () => RECONNECT_SECONDS,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    onnotice: () => {},
    types: {
      int8: { to: 20, from: [20], serialize: String, parse: Number },
    },
    connection: { application_name: 'parley' },
  }) as unknown as Sql

/** Makes a json parameter of a value. The driver's type of JSON values is narrower than that of JSON.stringify. */
export const json = (sql: Db, value: unknown) => sql.json(value as postgres.JSONValue)

/** Whether an error means that two transactions were in conflict, so that the work can run again. */
export const isConflict = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && ['40P01', '40001', '23505'].includes(error.code)

/** Whether an error means that the database has no such table. */
export const isMissingTable = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '42P01'

/** SQLSTATE codes of a server that ends connections, starts, or has no connection left; and class 08. */
const UNAVAILABLE_STATES = /^(57P0[123]|53300|08...)$/
/** What the driver and Node call a connection that could not be opened, or was lost. */
const CONNECTION_ERRORS = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/**
 * Whether an error means that Postgres cannot be used now: a later attempt can succeed. Whether a change whose
 * connection was lost during its commit took effect is unknown.
 */
export const isUnavailable = (error: unknown): boolean => {
  if (error instanceof postgres.PostgresError) return UNAVAILABLE_STATES.test(error.code)
  // Errors of the object storage can have the same codes; its client adds $metadata to them.
  if (!(error instanceof Error) || '$metadata' in error) return false
  return CONNECTION_ERRORS.has((error as NodeJS.ErrnoException).code ?? '')
}
