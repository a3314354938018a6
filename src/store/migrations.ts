/** The tables of the database: which migrations it has, and applying those that it lacks. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissingTable, type Sql } from './sql.js'

/** The statements use functions of this version of Postgres. */
const OLDEST_POSTGRES = 16

const migrationsFolder = join(import.meta.dirname, 'migrations')

const listMigrations = async (): Promise<string[]> =>
  (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort()

/**
 * Applies the migrations that this database lacks, in order, each in a transaction.
 * Several processes may call it at once: an advisory lock makes them wait for each other.
 * @returns the names of the migrations that were applied now. Throws when this version of Postgres is too old.
 */
export const migrate = async (sql: Sql): Promise<string[]> => {
  const problem = await findVersionProblem(sql)
  if (problem !== undefined) throw new Error(problem)
  const names = await listMigrations()
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

/** Why this program cannot use the database, as a sentence for the operator; undefined: it can. */
export const findDatabaseProblem = async (sql: Sql): Promise<string | undefined> => {
  const problem = await findVersionProblem(sql)
  if (problem !== undefined) return problem
  const lacking = new Set(await listMigrations())
  try {
    for (const { name } of await sql<{ name: string }[]>`select name from migrations`) lacking.delete(name)
  } catch (error) {
    if (!isMissingTable(error)) throw error
  }
  const [first] = lacking
  return first === undefined
    ? undefined
    : `The database lacks ${lacking.size} migrations, from ${first} on: run migrate.`
}

const findVersionProblem = async (sql: Sql): Promise<string | undefined> => {
  const [row] = await sql<{ number: number; name: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name`
  return row === undefined || row.number >= OLDEST_POSTGRES * 10_000
    ? undefined
    : `This is Postgres ${row.name}, and Parley needs version ${OLDEST_POSTGRES} or newer.`
}
