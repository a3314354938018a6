/** One realm of a gateway cannot take the connections to Postgres that the other realms of the gateway need. */
import { expect, inject, test } from 'vitest'
import { openSql } from '../../src/store/sql.js'
import { startOwnGateway } from '../setup/processes/gateway-of-one-test.js'
import { postMessage } from '../setup/realm/messages.js'
import { call, ok } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { countWaiting } from '../setup/realm/table-lock.js'

/** More than the connections of a gateway. */
const CHANGES = 24

test('While the changes of one realm wait for the lock of its head, a gateway serves the other realms.', {
  timeout: 60_000,
}, async () => {
  await using busy = await startOwnGateway()
  const { ada } = busy
  const { url } = busy.gateway
  const other = await newQuietRealm('Bob')
  await using _realm = other.realm
  const [bob] = other.people
  if (bob === undefined) throw new Error('there is no user')
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] }, { url })
  const ids: number[] = []
  for (let i = 0; i < CHANGES; i++) ids.push(await postMessage(ada, 'general', 't'))

  const sql = openSql(inject('database_url'), 1)
  const changes = await sql.begin(async (tx) => {
    const [realm] = await tx<{ realm_id: number }[]>`
      select realm_id from realms r join log_heads on id = realm_id
      where r.string_id = ${ada.host.split('.')[0] ?? ''} for update of log_heads`
    expect(realm).toBeDefined()
    const star = (id: number) =>
      call(ada, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' }, { url })
    const started = ids.map(star)
    await expect.poll(() => countWaiting(tx), { timeout: 10_000 }).toBeGreaterThan(0)
    const message = { type: 'direct', to: [bob.user_id], content: 'x' }
    for (let i = 0; i < 5; i++) {
      const answer = await call(bob, 'POST', '/messages', message, { url })
      expect(answer.status).toBe(200)
      expect((await call(bob, 'GET', `/messages/${answer.body.id}`, {}, { url })).status).toBe(200)
    }
    return { started }
  })
  for (const { status } of await Promise.all(changes.started)) expect(status).toBe(200)
  await sql.end()
})
