/**
 * Statements that Postgres does not execute any more as they were prepared: a proxy reset the connection, or a
 * migration changed the types of their results. They run again, and no other call notices it.
 */
import { expect, inject, onTestFinished, test } from 'vitest'
import { json, openSql, type Sql } from '../../../src/store/sql.js'

/** A pool of one connection. */
const openConnection = (): Sql => {
  const sql = openSql(inject('database_url'), 1)
  onTestFinished(() => sql.end({ timeout: 1 }))
  return sql
}

/** Lets the server forget all prepared statements of the connection; the driver does not learn of it. */
const forgetStatements = (sql: Sql) => sql.unsafe('deallocate all')

const queries = (sql: Sql) => ({
  number: async (n: number) => (await sql`select ${n}::int as number`)[0],
  sum: async (n: number) => (await sql`select ${n}::int + ${n}::int as sum`)[0],
  text: async (t: string) => (await sql`select ${t}::text as text, true as "isText"`)[0],
})

test('Calls whose statement the server has forgotten get their own rows, beside calls that came later.', async () => {
  const sql = openConnection()
  const { number, sum, text } = queries(sql)
  await Promise.all([number(0), sum(0)])
  for (let passes = 0; passes < 8; passes++) {
    await forgetStatements(sql)
    const sent = [number(1), sum(2)]
    // The server answers to the first ones while the later ones are sent.
    for (let i = 0; i < passes; i++) await new Promise((resolve) => setImmediate(resolve))
    sent.push(number(3), text('four'), sum(5), number(6))
    expect(await Promise.all(sent)).toEqual([
      { number: 1 },
      { sum: 4 },
      { number: 3 },
      { text: 'four', isText: true },
      { sum: 10 },
      { number: 6 },
    ])
  }
})

test('A statement that runs again has the parameters that it had.', async () => {
  const sql = openConnection()
  const send = async () =>
    (
      await sql`select ${json(sql, { a: ['"'] })}::jsonb as object, ${['a', 'b"']}::text[] as list, ${sql.typed(7, 20)} as id`
    )[0]
  const first = await send()
  await forgetStatements(sql)
  expect(await send()).toEqual(first)
})

test('After a migration has changed the type of a column, every call gets the new rows.', async () => {
  const sql = openConnection()
  const table = `retyped_${process.pid}`
  await sql`create table ${sql(table)} (id int, value int)`
  onTestFinished(async () => {
    const other = openSql(inject('database_url'), 1)
    await other`drop table ${other(table)}`
    await other.end()
  })
  await sql`insert into ${sql(table)} values (1, 1), (2, 2), (3, 3)`
  const read = async (id: number) => (await sql`select value from ${sql(table)} where id = ${id}`)[0]
  expect(await read(1)).toEqual({ value: 1 })
  await sql`alter table ${sql(table)} alter value type text`
  const { text } = queries(sql)
  expect(await Promise.all([read(1), text('a'), read(2), text('b'), read(3)])).toEqual([
    { value: '1' },
    { text: 'a', isText: true },
    { value: '2' },
    { text: 'b', isText: true },
    { value: '3' },
  ])
})

test('A transaction whose statement the server has forgotten fails, and later calls do not.', async () => {
  const sql = openConnection()
  const change = (n: number) => sql.begin(async (tx) => (await tx`select ${n}::int as changed`)[0])
  expect(await change(1)).toEqual({ changed: 1 })
  await forgetStatements(sql)
  const { text } = queries(sql)
  const [failed, other] = await Promise.allSettled([change(2), text('later')])
  expect(failed).toMatchObject({ status: 'rejected', reason: { code: '26000' } })
  expect(other).toMatchObject({ value: { text: 'later' } })
  expect(await change(3)).toEqual({ changed: 3 })
})
