/** Transactions that lose their connection to Postgres: they fail alone, and take no part in what comes later. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openSql, type Sql } from '../../../src/store/sql.js'
import { openLink } from '../../drills/link.js'

/** A pool with one connection over a link, and a table. */
const openPool = async () => {
  const url = new URL(inject('database_url'))
  const link = await openLink(Number(url.port))
  url.port = String(link.port)
  const sql = openSql(url.href, 1)
  const table = `lost_${process.pid}`
  await sql`create table if not exists ${sql(table)} (n int)`
  onTestFinished(async () => {
    await sql`drop table if exists ${sql(table)}`
    await sql.end()
    await link[Symbol.asyncDispose]()
  })
  return { link, sql, table }
}

/** A promise, and the function that resolves it. */
const openGate = (): [opened: Promise<void>, open: () => void] => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return [opened, open]
}

/** Begins a transaction that waits, after its first statement, until `goOn` is called. */
const beginAndWait = async (sql: Sql, rest: (tx: Sql) => Promise<unknown>) => {
  const [waiting, goOn] = openGate()
  const [begun, begin] = openGate()
  const [finished, finish] = openGate()
  const outcome = sql
    .begin(async (tx) => {
      await tx`select 1`
      begin()
      await waiting
      try {
        return await rest(tx as unknown as Sql)
      } finally {
        finish()
      }
    })
    .then(
      () => 'committed',
      (error: { code: string }) => error.code,
    )
  await begun
  return { outcome, goOn, finished }
}

test('A statement after the loss of the connection fails, and the process continues.', async () => {
  const { link, sql } = await openPool()
  let failure: { code?: string } | undefined
  const { outcome, goOn, finished } = await beginAndWait(sql, async (tx) => {
    try {
      await tx`select 2`
    } catch (error) {
      failure = error as { code?: string }
    }
  })
  link.reset()
  expect(await outcome).toBe('CONNECTION_CLOSED')
  goOn()
  await finished
  await nextTurn()
  expect(failure?.code).toBe('CONNECTION_CLOSED')
  expect(await sql`select 3 as n`).toEqual([{ n: 3 }])
})

test.each([
  ['ends', async () => {}],
  ['fails', async () => Promise.reject(new Error('it fails'))],
  ['sends a statement', async (tx: Sql) => tx`select 2`],
])('A transaction that %s after the loss of its connection does not end that of another call.', async (_, rest) => {
  const { link, sql, table } = await openPool()
  const { outcome, goOn, finished } = await beginAndWait(sql, rest)
  link.reset()
  expect(await outcome).toBe('CONNECTION_CLOSED')
  const later = sql.begin(async (tx) => {
    await tx`insert into ${tx(table)} values (1)`
    goOn()
    await finished
    await nextTurn()
    await tx`insert into ${tx(table)} values (2)`
    throw new Error('rolled back')
  })
  await expect(later).rejects.toThrow('rolled back')
  expect(await sql`select n from ${sql(table)}`).toEqual([])
})
