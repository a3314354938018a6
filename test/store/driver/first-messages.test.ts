/** The first message of a connection, after the driver has collected a message for one that was closed. */
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDriver } from '../../../src/store/driver/driver.js'

test('A pool connects again when its connection was closed before a collected message was sent.', async () => {
  const { href, hostname, port } = new URL(inject('database_url'))
  let connection: Duplex | undefined
  const sql = openDriver(href, {
    max: 1,
    parameters: {},
    isPadded: true,
    async open(connect) {
      connection = await connect(hostname, Number(port))
      return connection
    },
  })
  onTestFinished(() => sql.end({ timeout: 0 }))
  await sql`select 1`
  // A socket that is destroyed in this phase of the event loop is closed before the driver sends what it has collected.
  await nextTurn()
  connection?.destroy()
  await expect(sql`select 2`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(await sql`select 3 as n`).toEqual([{ n: 3 }])
})
