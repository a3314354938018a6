/** The check of the driver when a process starts. */
import { createRequire } from 'node:module'
import type Postgres from 'postgres'
import { expect, test } from 'vitest'
import { compactConnectionQueues } from '../../../src/store/driver/connection-queues.js'
import type { openDriver, Sql } from '../../../src/store/driver/driver.js'
import { checkDriver, findDriverProblem } from '../../../src/store/driver/driver-check.js'
import { repeatLostStatements } from '../../../src/store/driver/prepared-statements.js'
import { guardTransactions } from '../../../src/store/driver/transaction-guard.js'

/** Another copy of the driver, for CommonJS, which no patch of this process has changed. */
const postgres = createRequire(import.meta.url)('postgres') as typeof Postgres

const openWith =
  (patch: (pool: Postgres.Sql) => Postgres.Sql): typeof openDriver =>
  (url, { max, open }) =>
    patch(postgres(url, { max, fetch_types: false, ...({ socket: open } as object) })) as Sql

test('The driver of the package is used.', async () => {
  expect(await findDriverProblem()).toBeUndefined()
})

test('A driver whose lost statements or transactions have no patch is refused with a sentence.', async () => {
  const unpatched = await checkDriver(openWith((pool) => pool))
  expect(unpatched).toBe(
    'The driver of Postgres (package postgres) is not a version for which its patches were written: it repeats lost' +
      ' statements by itself. Install the packages of package-lock.json with npm ci (docs/decisions/012-driver-patches.md).',
  )
  expect(await checkDriver(openWith(repeatLostStatements))).toContain(
    'a transaction does not end together with its connection',
  )
  expect(await checkDriver(openWith((pool) => guardTransactions(repeatLostStatements(pool))))).toBeUndefined()
})

test('A patch refuses objects that are not those for which it was written.', () => {
  const changed = 'is not a version for which its patches were written'
  const pool = (statement: object) => () => statement
  expect(() => guardTransactions({ unsafe: () => {} })).toThrow(`${changed}: a pool has no function begin.`)
  expect(() => compactConnectionQueues(pool({}))).toThrow(`${changed}: a statement has no function handler.`)
  expect(() => repeatLostStatements(pool({}))).toThrow(`${changed}: a statement has no function handler.`)
})
