/** The queues in which a pool keeps its connections to Postgres. */
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { openSql } from '../../../src/store/sql.js'

test('A pool that always has an idle connection keeps nothing of the statements that it has run.', async () => {
  const sql = openSql(inject('database_url'), 3)
  onTestFinished(() => sql.end())
  await Promise.all([sql`select pg_sleep(0.01)`, sql`select pg_sleep(0.01)`, sql`select pg_sleep(0.01)`])
  // The driver searches the queue of a connection whenever it moves the connection to another queue.
  const search = vi.spyOn(Array.prototype, 'indexOf')
  onTestFinished(() => search.mockRestore())
  for (let i = 0; i < 20; i++) {
    await sql`select ${i}::int`
    await sql.begin((tx) => tx`select 1`)
    await sql.unsafe('select 1')
  }
  const queues = (search.mock.contexts as unknown[][]).filter((array) => array.some(isConnection))
  expect(queues.length).toBeGreaterThan(20)
  // The first statement, which asks for the types of its parameters, does not replace a queue yet.
  expect(Math.max(...queues.map(({ length }) => length))).toBeLessThanOrEqual(4)
})

test('The error of a statement names the place from which it was sent.', async () => {
  const sql = openSql(inject('database_url'), 1)
  onTestFinished(() => sql.end())
  const error = await sql`select unknown_column`.catch((reason: Error) => reason)
  expect((error as Error).stack).toContain('connection-queues.test.ts')
})

/** Whether a value is the driver's object of a connection. */
const isConnection = (value: unknown): boolean => typeof value === 'object' && value !== null && 'idleTimer' in value
