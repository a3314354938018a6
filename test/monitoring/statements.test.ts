/** What the console says about the statements of Postgres, on a server of the test's own. */
import { expect, test } from 'vitest'
import { openSql } from '../../src/store/sql.js'
import { loadRunningStatements, loadStatementStatistics } from '../../src/store/statement-statistics.js'
import { startPostgres } from '../setup/processes/processes.js'

test('The statements that took most time are listed once the operator has installed pg_stat_statements.', async () => {
  const postgres = await startPostgres()
  const before = openSql(postgres.url, 1)
  expect(await loadStatementStatistics(before, 5)).toBeUndefined()
  await before`alter system set shared_preload_libraries = 'pg_stat_statements'`
  // The extension without the library: reading its view would fail.
  await before`create extension pg_stat_statements`
  expect(await loadStatementStatistics(before, 5)).toBeUndefined()
  await before.end()
  await postgres.kill()
  await postgres.start()

  const sql = openSql(postgres.url, 3)
  await sql`select pg_sleep(${0.2}), ${'a value of a user'} as secret`
  const found = (await loadStatementStatistics(sql, 5)) ?? []
  expect(found[0]?.query).toMatch(/select pg_sleep\(\$1\), \$2 as secret/)
  expect(found[0]).toMatchObject({ calls: 1, total: expect.any(Number), mean: expect.any(Number) })
  expect(found[0]?.max).toBeGreaterThan(150)
  expect(JSON.stringify(found)).not.toContain('a value of a user')
  await sql.end()
  await postgres.kill()
}, 60_000)

test('A statement that runs, and whether it waits for a lock, is listed without its values.', async () => {
  const postgres = await startPostgres()
  const sql = openSql(postgres.url, 4)
  await sql`create table held (id int)`
  await sql`insert into held values (1)`
  let waiting: Promise<unknown> = Promise.resolve()
  await sql.begin(async (tx) => {
    await tx`lock table held`
    waiting = sql`select from held where id = ${4711}`.execute()
    const find = async () => (await loadRunningStatements(sql, 0, 5)).filter(({ query }) => query.includes('from held'))
    await expect.poll(find, { timeout: 10_000 }).toEqual([
      {
        pid: expect.any(Number),
        query: 'select from held where id = $1',
        seconds: expect.any(Number),
        waits_for_lock: true,
      },
    ])
  })
  await waiting
  await sql.end()
  await postgres.kill()
}, 60_000)
