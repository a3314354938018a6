/** Message retention. */
import { expect, test } from 'vitest'
import { DAY, secondsNow } from '../../rules/src/time.js'
import { deleteExpiredBatch, findRealmsWithRetention } from '../../src/store/messages/editing/retention.js'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { updateChannelRow, updateRealmSettings, withWriteContext } from '../setup/realm/row-changes.js'

const expire = (realm: TestRealm) =>
  withWriteContext(realm, async (context) => {
    while (await deleteExpiredBatch(context.dependencies, realm.realm));
  })

const age = (realm: TestRealm, ids: number[], days: number) => realm.sql`
  update messages set timestamp = ${secondsNow() - days * DAY} where realm_id = ${realm.realm_id} and id = any(${ids})`

const isThere = async (by: Person, id: number) => (await call(by, 'GET', `/messages/${id}`)).status === 200

test('Messages are deleted when they are older than the retention of the organization, unless their channel has its own.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const stream_id = await createChannel(ada, 'plain', [ada, grace])
  await createChannel(ada, 'longer', [ada])
  await createChannel(ada, 'for ever', [ada])
  await updateChannelRow(realm, 'longer', { message_retention_days: 20 })
  await updateChannelRow(realm, 'for ever', { message_retention_days: -1 })
  const old = [
    await postMessage(ada, 'plain', 'logo'),
    await postMessage(grace, 'plain', 'Logo'),
    await postMessage(ada, 'plain', 'other'),
  ]
  const direct = await sendDirectMessage(ada, [grace])
  const [kept, stays] = [await postMessage(ada, 'longer', 'logo'), await postMessage(ada, 'for ever', 'logo')]
  await age(realm, [...old, direct, kept, stays], 10)
  const fresh = await postMessage(ada, 'plain', 'logo')
  expect(await findRealmsWithRetention(realm.sql)).toContain(realm.realm_id)
  await updateRealmSettings(realm, { message_retention_days: 7 })
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
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  await createChannel(ada, 'plain', [ada])
  const id = await postMessage(ada, 'plain', 'logo')
  await age(realm, [id], 10_000)
  expect(await findRealmsWithRetention(realm.sql)).not.toContain(realm.realm_id)
  await expire(realm)
  expect(await isThere(ada, id)).toBe(true)
})
