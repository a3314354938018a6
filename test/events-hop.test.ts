/**
 * One queue, many ways: a reader who changes transport and gateway between any two events sees every event once, in
 * order, whatever happens to Redis and to the gateways meanwhile.
 */
import { describe, expect, test } from 'vitest'
import { type Cursor, Refused, readSome, transports, type WireEvent } from './setup/reader.js'
import { anyGateway, newRealm, ok, type Person } from './setup/realm.js'

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

/** A reader on the queue, until it has seen `count` messages. Connections that break are simply made again. */
const readMessages = async (reader: Person, cursor: Cursor, count: number, urls: () => string[]) => {
  const events: WireEvent[] = []
  let last_event_id = cursor.last_event_id
  let messages = 0
  const deadline = Date.now() + 120_000
  while (messages < count && Date.now() < deadline) {
    const at = { queue_id: cursor.queue_id, last_event_id }
    const some = await readSome(pick(transports), pick(urls()), reader, at).catch((error: unknown) => {
      if (error instanceof Refused) throw error
      return []
    })
    for (const event of some) {
      events.push(event)
      last_event_id = event.id
      if (event.type === 'message') messages += 1
    }
  }
  return events
}

/** Every message once, in the order of the log: ids of events and of messages increase, and none is missing. */
const expectExactlyOnce = (events: WireEvent[], sent: number[]) => {
  const ids = events.map((event) => event.id)
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
  const seen = events.flatMap((event) => (event.type === 'message' ? (event.message as { id: number }).id : []))
  expect(seen).toEqual([...sent].sort((a, b) => a - b))
}

const start = async () => {
  const realm = await newRealm()
  const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  const { user_id } = grace
  await ok(ada, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'general' }],
    principals: [ada.user_id, user_id],
  })
  const { queue_id, last_event_id } = await ok<Cursor>(grace, 'POST', '/register', { event_types: ['message'] })
  const send = async (n: number, url = anyGateway()) =>
    (
      await ok<{ id: number }>(
        ada,
        'POST',
        '/messages',
        { type: 'stream', to: 'general', topic: 't', content: `m${n}` },
        { url },
      )
    ).id
  return { realm, ada, grace, cursor: { queue_id, last_event_id }, send }
}

describe('a reader who hops between transports and gateways', () => {
  test('sees each of 1,000 messages exactly once, in order', { timeout: 180_000 }, async () => {
    const { realm, grace, cursor, send } = await start()
    await using _ = realm
    const reading = readMessages(grace, cursor, 1_000, () => [anyGateway()])
    const sent: number[] = []
    for (let n = 0; n < 1_000; n += 4) sent.push(...(await Promise.all([n, n + 1, n + 2, n + 3].map((m) => send(m)))))
    expectExactlyOnce(await reading, sent)
  })
})
