/** The clients of a realm in one gateway, without connections. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { Hub } from '../../src/gateway/events/hub.js'
import { PacedSends } from '../../src/gateway/events/paced-sends.js'
import { newRealm } from '../setup/realm/realm.js'

const CLIENTS = 100

test('A hub forgets the profiles and queues of clients that have left.', async () => {
  await using created = await newRealm()
  const [ada] = await created.people({ full_name: 'Ada' })
  const user_id = ada?.user_id
  const hub = new Hub(created.realm, new PacedSends({ publish: () => true, countSubscribers: () => 0 }), () => {})
  /** Attaches a client that has a profile of its own. @returns the client, and a weak reference to its profile */
  const attach = (i: number) => {
    const profile = {}
    const queue = { id: `queue ${i}`, user_id, profile }
    const client = { queue, key_version: 1, lastId: 0, push() {}, close() {} } as unknown as Parameters<
      Hub['attach']
    >[0]
    hub.attach(client)
    return { client, profile: new WeakRef(profile) }
  }
  const countAlive = (profiles: readonly WeakRef<object>[]) =>
    profiles.filter((one) => one.deref() !== undefined).length
  const attached = Array.from({ length: CLIENTS }, (_, i) => attach(i))
  expect(hub.hasClients()).toBe(true)
  const profiles = attached.map(({ profile }) => profile)
  for (const { client } of attached.splice(0)) hub.detach(client)
  expect(hub.hasClients()).toBe(false)
  expect([...hub.clients()]).toEqual([])

  await expect.poll(() => collectGarbage() ?? countAlive(profiles)).toBe(CLIENTS)
  hub.forgetUnused()
  // The code that attached the last one may still refer to it.
  await expect.poll(() => collectGarbage() ?? countAlive(profiles)).toBeLessThan(2)
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => undefined
