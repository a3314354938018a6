import { expect, inject, test } from 'vitest'
import { OwnedKey } from '../../src/domain/log/owned-values.js'
import { DeliveryCounts } from '../../src/gateway/events/delivery-counts.js'
import { openHubs } from '../../src/gateway/events/hubs.js'
import { PacedSends } from '../../src/gateway/events/paced-sends.js'
import { openCell } from '../../src/store/cell/cell.js'
import { openPools } from '../../src/store/cell/pools.js'
import type { Realm } from '../../src/store/log/realm.js'
import { openQueues } from '../../src/store/register/event-queues.js'
import { testDeployment } from '../setup/realm/deployment.js'
import { newRealm } from '../setup/realm/realm.js'
import { sharedScope } from '../setup/realm/scope.js'

test('A realm that nobody uses leaves the memory together with its hub and all that it owns, and loads again.', async () => {
  await using created = await newRealm()
  const { realm_id } = created
  const unloaded: Realm[] = []
  const cell = openCell(openPools({ DATABASE_URL: inject('database_url') }, { connections: 2 }), {
    redis_url: inject('redis_url'),
    scope: await sharedScope(),
    deployment: testDeployment(inject('secret_key')),
    anti_entropy_ms: 20,
    idle_ms: 500,
    onLoad: (realm) => void hubs.of(realm),
    onUnload(realm) {
      hubs.forget(realm)
      unloaded.push(realm)
    },
  })
  const { realms, writing } = cell
  const queues = openQueues(writing.sql, writing.bus)
  const sends = new PacedSends({ publish: () => true, countSubscribers: () => 0 })
  const hubs = openHubs(writing, queues, sends, 60_000, new DeliveryCounts())
  const first = (await realms.get(realm_id)) as Realm
  const hub = hubs.of(first)
  expect(hubs.of(first)).toBe(hub)
  const key = new OwnedKey<string[]>('lists')
  const owned = [first.own(key, () => []), first.state.own(key, () => [])]
  await expect.poll(() => unloaded).toEqual([first])
  expect([...realms.loaded()]).toEqual([])
  const second = (await realms.get(realm_id)) as Realm
  expect(second).not.toBe(first)
  expect(second.seq).toBe(first.seq)
  // The hub of the first one is gone: asking for it makes another one.
  expect(hubs.of(first)).not.toBe(hub)
  expect(first.own(key, () => [])).not.toBe(owned[0])
  expect(first.state.own(key, () => [])).not.toBe(owned[1])
  hubs.close()
  await queues.close()
  await cell.close()
})
