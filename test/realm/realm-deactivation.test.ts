/** Deactivating an organization: access of its users ends, and its data is deleted later. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { composeUpdate } from '../../src/domain/log/row-changes.js'
import { indexRealm } from '../../src/store/messages/narrow/index-messages.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { anyGateway, call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { commitRowChanges } from '../setup/realm/row-changes.js'
import { upload } from '../setup/requests/files.js'

const setUp = async () => {
  const { realm, people } = await newQuietRealm('Ada')
  const [owner, admin] = (await realm.people({ full_name: 'Owner', role: 100 }, { full_name: 'Admin', role: 200 })) as [
    Person,
    Person,
  ]
  return { realm, owner, admin, ada: people[0] as Person, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const closedError = { status: 401, body: { code: 'UNAUTHORIZED', msg: 'This organization is deactivated.' } }

test('A waiting client receives the deactivation, and the server refuses every later request of its users.', async () => {
  await using s = await setUp()
  const url = anyGateway()
  const { queue_id, last_event_id } = await ok(
    s.ada,
    'POST',
    '/register',
    { event_types: ['realm'], fetch_event_types: [] },
    { url },
  )
  const waiting = ok(s.ada, 'GET', '/events', { queue_id, last_event_id }, { url })
  await ok(s.owner, 'POST', '/realm/deactivate')
  expect((await waiting).events).toMatchObject([{ type: 'realm', op: 'deactivated', realm_id: s.realm.realm_id }])
  expect(await call(s.ada, 'GET', '/events', { queue_id, last_event_id }, { url })).toMatchObject(closedError)
  for (const one of [s.owner, s.ada]) expect(await call(one, 'GET', '/users/me')).toMatchObject(closedError)
  expect(await call(s.ada, 'POST', '/messages', { type: 'direct', to: [2], content: 'hello' })).toMatchObject(
    closedError,
  )
})

test('Only an owner can deactivate an organization, with a deletion delay of at least 14 days.', async () => {
  await using s = await setUp()
  for (const one of [s.ada, s.admin]) {
    expect(await readRefusal(call(one, 'POST', '/realm/deactivate'))).toEqual(
      badRequest('Only owners of the organization may do this.', 'UNAUTHORIZED_PRINCIPAL'),
    )
  }
  expect(await readRefusal(call(s.owner, 'POST', '/realm/deactivate', { deletion_delay_days: 13 }))).toEqual(
    badRequest('deletion_delay_days must be at least 14, or null.'),
  )
  expect((await call(s.owner, 'POST', '/realm/deactivate', { deletion_delay_days: 14 })).status).toBe(200)
})

const rowsLeft = async ({ realm: { sql, realm_id } }: Awaited<ReturnType<typeof setUp>>) => {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where column_name = 'realm_id' and table_schema = 'public'`
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from ${sql(name)} where realm_id = ${realm_id}`
      return [name, row?.count ?? 0] as const
    }),
  )
  return counts.filter(([, count]) => count > 0).map(([name]) => name)
}

test('The worker deletes the data of a deactivated organization when it is due, unless the organization was reactivated.', {
  timeout: 40_000,
}, async () => {
  await using s = await setUp()
  await using other = await setUp()
  for (const { realm, owner, ada } of [s, other]) {
    await createChannel(ada, 'plans', [ada])
    const { url } = (await upload(ada, '/user_uploads', { filename: 'a.txt', data: 'x' })).json
    await postMessage(ada, 'plans', 'topic', `[a](${url})`)
    await sendDirectMessage(ada, [owner])
    // The test indexes the realm itself, because the worker may index other realms first.
    await indexRealm(realm.sql, realm.realm_id)
    await ok(owner, 'POST', '/realm/deactivate', { deletion_delay_days: 14 })
  }
  const folder = join(inject('process_env').UPLOADS_DIR ?? '', 'uploads', String(s.realm.realm_id))
  expect(readdirSync(folder)).toHaveLength(1)
  await other.realm.realm.barrier()
  await commitRowChanges(other.realm, [composeUpdate('realms', other.realm.realm.state.realm, { is_active: true })])
  const makeJobDue = (realm_id: number) => s.realm.sql`
    update jobs set run_after = now() - interval '1 minute' where realm_id = ${realm_id} and kind = 'delete_realm'`
  const isDone = async (realm_id: number) =>
    (await s.realm.sql`select from jobs where realm_id = ${realm_id} and kind = 'delete_realm' and done_at is null`)
      .length === 0
  for (const { realm } of [s, other]) await makeJobDue(realm.realm_id)
  for (const { realm } of [s, other]) {
    await expect.poll(() => isDone(realm.realm_id), { timeout: 30_000, interval: 300 }).toBe(true)
  }
  // The worker learns words behind the sends: the mark is there as soon as it has begun.
  const left = (await rowsLeft(s)).filter((name) => name !== 'known_word_marks')
  expect(left.sort()).toEqual(['jobs', 'log_heads', 'search_marks'])
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  expect((await call(other.ada, 'GET', '/users/me')).status).toBe(200)
  expect((await ok(other.ada, 'GET', '/attachments')).attachments).toHaveLength(1)
})
