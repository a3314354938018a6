/**
 * The connection to Postgres: the pool, the types of values, and the migrations. Only this file imports the driver.
 *
 * int8 is parsed as a JavaScript number, because ids and seconds stay far below 2^53.
 * json and jsonb are parsed as values.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
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

const migrationsFolder = join(import.meta.dirname, 'migrations')

/**
 * Applies the migrations that this database lacks, in order, each in a transaction.
 * Several processes may call it at once: an advisory lock makes them wait for each other.
 * @returns the names of the migrations that were applied now
 */
export const migrate = async (sql: Sql): Promise<string[]> => {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort()
  const applied: string[] = []
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(727_159)`
    await tx`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`
    const known = new Set((await tx<{ name: string }[]>`select name from migrations`).map((row) => row.name))
    for (const name of names.filter((file) => !known.has(file))) {
      await tx.unsafe(await readFile(join(migrationsFolder, name), 'utf8'))
      await tx`insert into migrations (name) values (${name})`
      applied.push(name)
    }
  })
  return applied
}

/** Whether an error means that two transactions were in conflict, so that the work can run again. */
export const isConflict = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && ['40P01', '40001', '23505'].includes(error.code)
