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

/** Opens a pool of `max` connections. Nothing connects before the first query. */
export const openSql = (database_url: string, max = 10): Sql =>
  postgres(database_url, {
    max,
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
