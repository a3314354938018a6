/** The runner of migrations on a database that is in use. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/store/migrations.js'
import { openSql, type Sql } from '../../src/store/sql.js'

const name = `migrations_${process.pid}`
const server = new URL(inject('database_url'))
const url = Object.assign(new URL(server), { pathname: `/${name}` }).href
let sql: Sql

beforeAll(async () => {
  const outside = openSql(server.href, 1)
  await outside`create database ${outside(name)}`
  await outside.end()
  sql = openSql(url, 4)
})

afterAll(() => sql.end())

/** A folder with one migration, and a table of the same name with as many rows. */
const prepare = async (table: string, rows: number, text: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, `${table}.sql`), text)
  await sql`create table ${sql(table)} (realm_id int, id bigint, n int not null default 0, primary key (realm_id, id))`
  await sql`insert into ${sql(table)} select i % 3, i from generate_series(1, ${rows}::int) i`
  return folder
}

const run = async (folder: string): Promise<string[]> => {
  const own = openSql(url, 1)
  try {
    return await migrate(own, folder)
  } finally {
    await own.end({ timeout: 1 })
  }
}

test('Other calls use a table while a migration waits for its lock.', async () => {
  const folder = await prepare('waited', 3, 'alter table waited add column note text;')
  let migrated: Promise<string[]> | undefined
  await sql.begin(async (tx) => {
    await tx`select * from waited`
    migrated = run(folder)
    const countAttempts = async () => {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity
        where datname = ${name} and wait_event_type = 'Lock' and query like 'alter table waited%'`
      return row?.count
    }
    await expect.poll(countAttempts, { interval: 5 }).toBe(1)
    // It would wait for the migration, and the migration for the end of this transaction.
    await sql`update waited set n = 1`
  })
  expect(await migrated).toEqual(['waited.sql'])
  expect(await sql`select distinct n, note from waited`).toEqual([{ n: 1, note: null }])
})

test('An index is built concurrently while another process waits to migrate.', async () => {
  const text = '-- step: concurrently\ncreate index concurrently if not exists built_n on built (realm_id, n);'
  const folder = await prepare('built', 1_000, text)
  let migrated: Promise<string[][]> | undefined
  await sql.begin(async (tx) => {
    // The index waits for this transaction, so both processes run.
    await tx`select * from built`
    await tx`update built set n = 1 where id = 1`
    migrated = Promise.all([run(folder), run(folder)])
    const countWaiting = async () => {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity
        where datname = ${name} and wait_event_type = 'Lock' and query like '%create index concurrently%built_n%'`
      return row?.count
    }
    await expect.poll(countWaiting, { interval: 20 }).toBe(1)
  })
  expect((await migrated)?.flat()).toEqual(['built.sql'])
  expect(await isValid('built_n')).toBe(true)
})

const isValid = async (index: string) => {
  const [row] = await sql<{ valid: boolean }[]>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${index})`
  return row?.valid
}

test('An index that an interrupted run left invalid is built again.', async () => {
  const text =
    '-- step: concurrently\ncreate unique index concurrently if not exists left_n on left_over (realm_id, n);'
  const folder = await prepare('left_over', 6, text)
  await expect(run(folder)).rejects.toThrow('left_over.sql failed: could not create unique index "left_n"')
  expect(await isValid('left_n')).toBe(false)
  await sql`update left_over set n = id`
  expect(await run(folder)).toEqual(['left_over.sql'])
  expect(await isValid('left_n')).toBe(true)
})

test('A backfill that is killed continues after its last batch, and changes each row once.', async () => {
  const folder = await prepare(
    'filled',
    2_500,
    `-- What follows needs the column.
-- step: transaction
alter table filled add column note text;
-- step: backfill filled
with slow as materialized (select pg_sleep(0.1))
update filled set n = n + 1, note = 'done' from slow where :batch;
-- step: transaction
alter table filled add constraint noted check (note is not null) not valid;
-- step: transaction
alter table filled validate constraint noted;`,
  )
  const killed = run(folder)
  const outcome = expect(killed).rejects.toThrow('Step 2 of filled.sql failed')
  await expect
    .poll(async () => (await sql`select from migration_steps where position is not null`).length, { interval: 5 })
    .toBe(1)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = ${name} and pid in (select pid from pg_locks where locktype = 'advisory')`
  await outcome
  const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`select sum(n)::int as count from filled`
  expect(count).toBeGreaterThan(0)
  expect(count).toBeLessThan(2_500)

  expect(await run(folder)).toEqual(['filled.sql'])
  expect(await sql`select n, note, count(*)::int from filled group by n, note`).toEqual([
    { n: 1, note: 'done', count: 2_500 },
  ])
  expect(await sql`select convalidated from pg_constraint where conname = 'noted'`).toEqual([{ convalidated: true }])
  expect(await sql`select from migration_steps`).toHaveLength(0)
})

test('A backfill reads each row once, also where another index has the columns of the key.', async () => {
  const rows = 30_000
  const folder = await prepare('indexed', rows, '-- step: backfill indexed\nupdate indexed set n = n + 1 where :batch;')
  await sql`update indexed set realm_id = 1000 where id > 100`
  await sql`create index indexed_other on indexed (realm_id, n, id)`
  // An index of the key that is higher than the other one.
  await sql.unsafe('alter index indexed_pkey set (fillfactor = 10)')
  await sql`reindex index indexed_pkey`
  await sql`vacuum analyze indexed`
  expect(await run(folder)).toEqual(['indexed.sql'])
  const readEntries = async () => {
    const [row] = await sql<{ sum: number }[]>`
      select sum(idx_tup_read)::int as sum from pg_stat_user_indexes where relname = 'indexed'`
    return row?.sum ?? 0
  }
  await expect.poll(readEntries).toBeGreaterThanOrEqual(rows)
  // A subquery, the statement, and the last key of each batch.
  expect(await readEntries()).toBeLessThan(4 * rows)
})

test('A migration that has a step which cannot run is refused before its first step.', async () => {
  const refuse = async (table: string, text: string, message: string) => {
    const folder = await prepare(table, 1, text)
    await expect(run(folder)).rejects.toThrow(`${table}.sql: ${message}`)
  }
  await refuse(
    'refused_a',
    '-- step: quickly\nselect 1;',
    'a step is "transaction", "concurrently" or "backfill TABLE"',
  )
  await refuse('refused_b', 'select 1;\n-- step: transaction\nselect 2;', 'a statement stands before the first step.')
  await refuse(
    'refused_c',
    '-- step: backfill refused_c\nupdate refused_c set n = 1;',
    'the statement of the backfill of refused_c lacks :batch.',
  )
})
