/** The clients of a realm in one gateway, without connections. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { catchUp } from '../../src/gateway/events/catch-up.js'
import type { Client } from '../../src/gateway/events/connected-client.js'
import { Hub } from '../../src/gateway/events/hub.js'
import { PacedSends } from '../../src/gateway/events/paced-sends.js'
import type { Queue } from '../../src/store/register/event-queues.js'
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

test('A stream that is ended while it catches up does not end the newer reader of its queue.', async () => {
  await using created = await newRealm()
  const { realm, sql } = created
  const [ada] = await created.people({ full_name: 'Ada' })
  await realm.barrier()
  const hub = new Hub(realm, new PacedSends({ publish: () => true, countSubscribers: () => 0 }), () => {})
  const queue = { id: 'queue', user_id: ada?.user_id, profile: {}, content_seq: 0 } as unknown as Queue
  const ended: string[] = []
  const newClient = (name: string): Client => ({
    queue,
    key_version: realm.state.users.get(queue.user_id)?.key_version ?? 0,
    lastId: 0,
    push() {},
    close: () => void ended.push(name),
  })
  const newer = newClient('newer')
  // A socket whose end was announced to its client is open for a while.
  const stream = {
    sql,
    realm,
    hub,
    queue,
    last_event_id: hub.lastId(),
    isOpen: () => true,
    ready: () => Promise.resolve(),
  }
  const catchingUp = catchUp({ ...stream, client: newClient('former') })
  hub.attach(newer)
  await catchingUp
  expect(ended).toEqual(['former'])
  expect(hub.findReader(queue.id)).toBe(newer)
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => undefined
