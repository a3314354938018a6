/** Connections that are reserved in a pool. */
import { expect, inject, onTestFinished, test } from 'vitest'
import { openSql } from '../../../src/store/sql.js'

test('A connection can be reserved in a pool that has opened none.', async () => {
  const sql = openSql(inject('database_url'), 1)
  onTestFinished(() => sql.end())
  const reserved = await sql.reserve()
  expect(await reserved`select 1 as one`).toEqual([{ one: 1 }])
  reserved.release()
})
