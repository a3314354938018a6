/** Settings of the role with which Parley uses Postgres, as operators and providers of Postgres set them. */
import { expect, inject, onTestFinished, test } from 'vitest'
import { openSql } from '../../src/store/sql.js'
import { findPgbouncer, type PgbouncerProgram, startPgbouncer } from '../setup/processes/pgbouncer.js'
import { startGateway } from '../setup/processes/processes.js'
import { newRealm } from '../setup/realm/realm.js'
import { listStatuses, sendBurst } from '../setup/requests/burst.js'

let count = 0

/** Creates a role with a setting. @returns the URL of the shared database with this role */
const createRole = async (setting: string): Promise<string> => {
  const url = new URL(inject('database_url'))
  const name = `role_${process.pid}_${++count}`
  const admin = openSql(url.href, 1)
  await admin.unsafe(`create role ${name} superuser login password '${url.password}'`)
  await admin.unsafe(`alter role ${name} set ${setting}`)
  await admin.end()
  onTestFinished(async () => {
    const after = openSql(inject('database_url'), 1)
    await after.unsafe(`drop role ${name}`)
    await after.end()
  })
  url.username = name
  return url.href
}

const people = [{ full_name: 'Ada' }, { full_name: 'Grace' }, { full_name: 'Joan' }]

test.each(["default_transaction_isolation = 'serializable'", "default_transaction_isolation = 'repeatable read'"])(
  'All calls succeed with a role that has %s.',
  { timeout: 60_000 },
  async (setting) => {
    await using gateway = await startGateway({ DATABASE_URL: await createRole(setting) })
    await using realm = await newRealm()
    const tally = await sendBurst(await realm.people(...people), gateway.url, 8, 60)
    expect(tally).toEqual(Object.fromEntries(Object.entries(tally).filter(([key]) => key.endsWith(' 200'))))
  },
)

test.each([
  "statement_timeout = '3ms'",
  "lock_timeout = '1ms'",
  "idle_in_transaction_session_timeout = '1ms'",
  "idle_session_timeout = '20ms'",
])('No call is answered with 500 with a role that has %s.', { timeout: 60_000 }, async (setting) => {
  await using gateway = await startGateway({ DATABASE_URL: await createRole(setting) })
  await using fast = await startGateway()
  await using realm = await newRealm()
  const tally = await sendBurst(await realm.people(...people), gateway.url, 5, 60, fast.url)
  const statuses = listStatuses(tally).filter((status) => status !== 200 && status !== 503)
  expect([statuses, tally]).toEqual([[], tally])
})

test('A gateway with a role that can write nothing says so, and is not ready.', async () => {
  await using gateway = await startGateway({ DATABASE_URL: await createRole('default_transaction_read_only = on') })
  const ready = await fetch(`${gateway.operations_url}/health/ready`)
  const { postgres } = (await ready.json()) as { postgres: { problem: string } }
  expect([ready.status, postgres.problem]).toEqual([
    503,
    expect.stringMatching(/^The role role_\w+ can write nothing: default_transaction_read_only is on/),
  ])
})

const pgbouncer = findPgbouncer()
test.skipIf(pgbouncer === undefined)(
  'Behind PgBouncer, a role whose transactions are serializable is refused by name.',
  async () => {
    const server = await createRole("default_transaction_isolation = 'serializable'")
    const DATABASE_URL = await startPgbouncer(pgbouncer as PgbouncerProgram, server, 'session')
    await expect(startGateway({ DATABASE_URL })).rejects.toThrow(
      /^.*\n?DATABASE_URL: transactions are serializable by default.*alter role "role_\w+" set default_transaction_isolation/,
    )
  },
)
