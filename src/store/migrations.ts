/**
 * The tables of the database: which migrations it has, and applying those that it lacks, while gateways and workers use
 * the database.
 *
 * 1. One process at a time migrates. It holds a session's advisory lock. The others try the lock again and again
 *    instead of waiting for it: a statement that waits keeps its snapshot, and `create index concurrently` waits for
 *    snapshots.
 * 2. A statement that waits for a lock on a table blocks all later ones of that table. So no statement of a
 *    transaction or of a batch waits longer than LOCK_TIMEOUT_MS; it is tried again later.
 * 3. Each step is recorded when it is done, and each batch of a backfill in its own transaction: after a crash, the
 *    next run continues there.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UnusableDatabaseError } from './connection-check.js'
import { type Backfill, composeBatch, type KeyColumn, type MigrationStep, parseSteps } from './migration-steps.js'
import { isLockConflict, isMissingTable, isUnavailable, json, type ReservedSql, type Sql } from './sql.js'

/** The statements use functions of this version of Postgres. */
const OLDEST_POSTGRES = 16

/** Of the session's advisory lock (1). */
const LOCK = 727_159
/** How long calls may be blocked by a statement that waits for its lock (2). */
const LOCK_TIMEOUT_MS = 50
/** The longest pause between two attempts to get a lock, and between two attempts to become the one that migrates. */
const MAX_PAUSE_MS = 1_000
/** How long a step is tried. A dump of the database can hold its locks for long. */
const LOCK_PATIENCE_MS = 600_000

/** A batch of a backfill takes about this long: its row locks delay edits of these rows. */
const BATCH_MS = 50
const FIRST_BATCH_ROWS = 1_000
const FEWEST_BATCH_ROWS = 100
const MOST_BATCH_ROWS = 20_000

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

const listMigrations = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()

/**
 * Applies the migrations that this database lacks, in order. See migration-steps.ts.
 * Several processes may call it at once: they wait for each other.
 * @param folder the migrations; a test brings its own
 * @returns the names of the migrations that were applied now. Throws UnusableDatabaseError when this version of
 * Postgres is too old, and MigrationError when a step fails.
 */
export const migrate = async (sql: Sql, folder = migrationsFolder): Promise<string[]> => {
  const problem = findVersionProblem(await loadServerFacts(sql))
  if (problem !== undefined) throw new UnusableDatabaseError(problem)
  const names = await listMigrations(folder)
  const connection = await sql.reserve()
  try {
    await lockMigrations(connection)
    await connection`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`
    await connection`
      create table if not exists migration_steps (name text primary key, done int not null default 0, position jsonb)`
    const known = new Set((await connection<{ name: string }[]>`select name from migrations`).map((row) => row.name))
    const lacking = names.filter((file) => !known.has(file))
    for (const name of lacking) await applyMigration(connection, name, await readFile(join(folder, name), 'utf8'))
    await unlockMigrations(connection)
    return lacking
  } catch (error) {
    // A lost connection has no lock, and the driver ends the process when a reserved connection is used after its loss.
    if (!isLost(error)) await unlockMigrations(connection)
    throw error
  }
}

const lockMigrations = async (connection: Sql): Promise<void> => {
  for (;;) {
    const [row] = await connection<{ is_locked: boolean }[]>`select pg_try_advisory_lock(${LOCK}) as is_locked`
    if (row?.is_locked === true) return
    await pause(connection, Math.random() * MAX_PAUSE_MS)
  }
}

/** Postgres does the waiting: the driver notices the loss of a reserved connection only while a statement runs. */
const pause = (connection: Sql, milliseconds: number): Promise<unknown> =>
  connection`select pg_sleep(${milliseconds / 1000}::float8)`

const unlockMigrations = async (connection: ReservedSql): Promise<void> => {
  await connection`select pg_advisory_unlock(${LOCK})`
  connection.release()
}

/** Whether the connection of a step is lost. */
const isLost = (error: unknown): boolean => isUnavailable(error instanceof MigrationError ? error.cause : error)

class MigrationError extends Error {}

const applyMigration = async (connection: Sql, name: string, text: string): Promise<void> => {
  const steps = parseSteps(name, text)
  const [progress] = await connection<{ done: number }[]>`select done from migration_steps where name = ${name}`
  for (const [i, step] of steps.entries()) {
    if (i < (progress?.done ?? 0)) continue
    /** Records the step in the transaction, if there is one. */
    const record = async () => {
      if (i < steps.length - 1) {
        await connection`
          insert into migration_steps (name, done) values (${name}, ${i + 1})
          on conflict (name) do update set done = excluded.done, position = null`
        return
      }
      await connection`delete from migration_steps where name = ${name}`
      await connection`insert into migrations (name) values (${name})`
    }
    try {
      await runStep(connection, name, step, record)
    } catch (error) {
      const which = steps.length === 1 ? name : `Step ${i + 1} of ${name}`
      throw new MigrationError(`${which} failed: ${(error as Error).message}`, { cause: error })
    }
  }
}

const runStep = async (
  connection: Sql,
  name: string,
  step: MigrationStep,
  record: () => Promise<void>,
): Promise<void> => {
  if (step.kind === 'concurrently') {
    await runConcurrently(connection, step)
    await runInTransaction(connection, record)
  } else if (step.kind === 'backfill') {
    await runBackfill(connection, name, step, record)
  } else {
    await runInTransaction(connection, async () => {
      await connection.unsafe(step.text)
      await record()
    })
  }
}

/** Runs a transaction, again and again while it does not get its locks in time (2). */
const runInTransaction = async <T>(connection: Sql, work: () => Promise<T>): Promise<T> => {
  const deadline = Date.now() + LOCK_PATIENCE_MS
  for (let delay = 10; ; delay = Math.min(delay * 2, MAX_PAUSE_MS)) {
    try {
      await connection`begin`
      await connection.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      const result = await work()
      await connection`commit`
      return result
    } catch (error) {
      if (isUnavailable(error)) throw error
      await connection`rollback`
      if (!isLockConflict(error) || Date.now() > deadline) throw error
      await pause(connection, delay * (0.5 + Math.random()))
    }
  }
}

/** Builds or drops an index. It waits for transactions, and blocks no reads or writes meanwhile. */
const runConcurrently = async (
  connection: Sql,
  { text, index }: { text: string; index: string | undefined },
): Promise<void> => {
  if (index !== undefined) {
    // A run that was interrupted leaves an index that is kept up to date and never used.
    const [invalid] = await connection`
      select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`
    if (invalid !== undefined) await connection`drop index concurrently if exists ${connection(index)}`
  }
  await connection.unsafe(text)
}

/** Walks through a table along its primary key, one transaction per batch, and pauses as long as it works. */
const runBackfill = async (
  connection: Sql,
  name: string,
  { table, text }: Backfill,
  record: () => Promise<void>,
): Promise<void> => {
  const key = await connection<KeyColumn[]>`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_index i
    cross join lateral unnest(i.indkey) with ordinality k (attnum, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = ${table}::regclass and i.indisprimary
    order by k.place`
  const columns = key.map((column) => `"${column.name}"`)
  const isSingle = key.length === 1
  /** The lowest value of the first column, above `value`. */
  const findNext = async (value?: string): Promise<string[] | undefined> => {
    const above = value === undefined ? 'true' : composeBatch(table, key.slice(0, 1), [value])
    const [row] = await connection.unsafe<{ position: string[] }[]>(`
      select jsonb_build_array(${columns[0]}::text) as position from "${table}" where ${above} order by ${columns[0]} limit 1`)
    return row?.position
  }
  const [progress] = await connection<{ position: string[] | null }[]>`
    select position from migration_steps where name = ${name}`
  let position = progress?.position ?? (isSingle ? undefined : await findNext())
  let rows = FIRST_BATCH_ROWS
  for (;;) {
    const began = performance.now()
    const from = composeBatch(table, key, position)
    const [end] = await connection.unsafe<{ position: string[] }[]>(`
      select jsonb_build_array(${columns.map((column) => `${column}::text`).join()}) as position
      from "${table}" where ${from} order by ${columns.join()} offset ${rows - 1} limit 1`)
    const batch = composeBatch(table, key, position, end?.position)
    const next = end?.position ?? (isSingle || position === undefined ? undefined : await findNext(position[0]))
    await runInTransaction(connection, async () => {
      // A batch reads its rows by index, however many rows Postgres expects.
      await connection`set local enable_seqscan = off`
      await connection`set local jit = off`
      await connection.unsafe(text.replaceAll(':batch', () => batch))
      if (next === undefined) await record()
      else {
        await connection`
          insert into migration_steps (name, position) values (${name}, ${json(connection, next)})
          on conflict (name) do update set position = excluded.position`
      }
    })
    if (next === undefined) return
    position = next
    const took = performance.now() - began
    if (end !== undefined) {
      const fitting = rows * Math.min(2, Math.max(0.5, BATCH_MS / took))
      rows = Math.round(Math.min(MOST_BATCH_ROWS, Math.max(FEWEST_BATCH_ROWS, fitting)))
    }
    await pause(connection, took)
  }
}

/**
 * Finds why this program cannot use the database. Returns a sentence for the operator, or undefined if the program can
 * use it.
 */
export const findDatabaseProblem = async (sql: Sql): Promise<string | undefined> => {
  const facts = await loadServerFacts(sql)
  const problem = findVersionProblem(facts) ?? findWriteProblem(facts)
  if (problem !== undefined) return problem
  const lacking = new Set(await listMigrations(migrationsFolder))
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

interface ServerFacts {
  number: number
  name: string
  is_standby: boolean
  is_read_only: boolean
  role: string
}

const loadServerFacts = async (sql: Sql): Promise<ServerFacts | undefined> => {
  const [row] = await sql<ServerFacts[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name,
      pg_is_in_recovery() as is_standby, current_setting('transaction_read_only')::bool as is_read_only,
      current_user as role`
  return row
}

const findVersionProblem = (facts: ServerFacts | undefined): string | undefined =>
  facts === undefined || facts.number >= OLDEST_POSTGRES * 10_000
    ? undefined
    : `This is Postgres ${facts.name}, and Parley needs version ${OLDEST_POSTGRES} or newer.`

/** A standby, or a role or database that an operator or a provider of Postgres has made read-only. */
const findWriteProblem = (facts: ServerFacts | undefined): string | undefined => {
  if (facts?.is_standby === true) return 'This Postgres is a standby, which accepts no writes.'
  return facts?.is_read_only === true
    ? `The role ${facts.role} can write nothing: default_transaction_read_only is on for it or for the database.`
    : undefined
}
