/** Attempts to connect that fail before there is a connection. */
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDriver } from '../../../src/store/driver/driver.js'

test('A pool whose attempt to connect failed connects for the next statement.', async () => {
  const { href, hostname, port } = new URL(inject('database_url'))
  let attempts = 0
  const sql = openDriver(href, {
    max: 1,
    parameters: {},
    async open(connect) {
      attempts += 1
      if (attempts === 1) throw new Error('no route')
      return connect(hostname, Number(port))
    },
  })
  onTestFinished(() => sql.end({ timeout: 0 }))
  await expect(sql`select 1`).rejects.toThrow('no route')
  expect(await sql`select 2 as n`).toEqual([{ n: 2 }])
})
