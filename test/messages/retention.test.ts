/** Message retention. */
import { expect, test } from 'vitest'
import { DAY, secondsNow } from '../../src/domain/permissions/permissions.js'
import { expireSome, realmsWithRetention } from '../../src/store/messages/editing/retention.js'
import { setChannel, setRealm, withWriteContext } from '../setup/change.js'
import { listen } from '../setup/listener.js'
import { channel, office, post, write } from '../setup/office.js'
import { call, type Person, type TestRealm } from '../setup/realm.js'

const expire = (realm: TestRealm) =>
  withWriteContext(realm, async (context) => {
    while (await expireSome(context.dependencies, realm.realm));
  })

const age = (realm: TestRealm, ids: number[], days: number) => realm.sql`
  update messages set timestamp = ${secondsNow() - days * DAY} where realm_id = ${realm.realm_id} and id = any(${ids})`

const isThere = async (by: Person, id: number) => (await call(by, 'GET', `/messages/${id}`)).status === 200

test('Messages are deleted when they are older than the retention of the organization, unless their channel has its own.', async () => {
  const { realm, people } = await office('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const stream_id = await channel(ada, 'plain', [ada, grace])
  await channel(ada, 'longer', [ada])
  await channel(ada, 'for ever', [ada])
  await setChannel(realm, 'longer', { message_retention_days: 20 })
  await setChannel(realm, 'for ever', { message_retention_days: -1 })
  const old = [await post(ada, 'plain', 'logo'), await post(grace, 'plain', 'Logo'), await post(ada, 'plain', 'other')]
  const direct = await write(ada, [grace])
  const [kept, stays] = [await post(ada, 'longer', 'logo'), await post(ada, 'for ever', 'logo')]
  await age(realm, [...old, direct, kept, stays], 10)
  const fresh = await post(ada, 'plain', 'logo')
  expect(await realmsWithRetention(realm.sql)).toContain(realm.realm_id)
  await setRealm(realm, { message_retention_days: 7 })
  const graceListener = await listen(grace, {
    client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
  })
  await expire(realm)
  for (const id of [...old, direct]) expect(await isThere(ada, id), `message ${id}`).toBe(false)
  for (const id of [fresh, kept, stays]) expect(await isThere(ada, id), `message ${id}`).toBe(true)
  const events = (await graceListener.events()).filter(({ type }) => type === 'delete_message')
  expect(events).toMatchObject([
    { message_ids: old.slice(0, 2), message_type: 'stream', stream_id, topic: 'Logo' },
    { message_ids: old.slice(2), message_type: 'stream', stream_id, topic: 'other' },
    { message_ids: [direct], message_type: 'private' },
  ])
})

test('Messages are kept if no retention is set.', async () => {
  const { realm, people } = await office('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await channel(ada, 'plain', [ada])
  const id = await post(ada, 'plain', 'logo')
  await age(realm, [id], 10_000)
  expect(await realmsWithRetention(realm.sql)).not.toContain(realm.realm_id)
  await expire(realm)
  expect(await isThere(ada, id)).toBe(true)
})
