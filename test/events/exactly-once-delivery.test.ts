/**
 * Exactly-once delivery: a client that changes transport and gateway between any two events receives every event once
 * and in order, while Redis and the gateways are killed and restarted.
 */
import { describe, expect, test } from 'vitest'
import { type Cursor, Refused, readEvents, transports, type WireEvent } from '../setup/event-reader.js'
import { startGateway, startRedis, type TestProcess } from '../setup/processes.js'
import { gateways, newRealm, ok, type Person, type TestRealm } from '../setup/realm.js'

const randomItem = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

/** The number in a message that the test sent; undefined for a message of the Notification Bot. */
const messageNumber = (event: WireEvent): number | undefined => {
  const number = /^m(\d+)$/.exec((event.message as { content?: string } | undefined)?.content ?? '')?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Reads the queue until `count` messages of the test have arrived. A connection that breaks is opened again. */
const readMessages = async (reader: Person, cursor: Cursor, count: number, urls: () => readonly string[]) => {
  const events: WireEvent[] = []
  let last_event_id = cursor.last_event_id
  let messages = 0
  const deadline = Date.now() + 150_000
  while (messages < count && Date.now() < deadline) {
    const at = { queue_id: cursor.queue_id, last_event_id }
    const some = await readEvents(randomItem(transports), randomItem(urls()), reader, at).catch((error: unknown) => {
      if (error instanceof Refused) throw error
      return []
    })
    for (const event of some) {
      events.push(event)
      last_event_id = event.id
      if (messageNumber(event) !== undefined) messages += 1
    }
  }
  return events
}

/** Expects every message once, in log order: the ids of events and messages increase, and no message is missing. */
const expectExactlyOnce = (events: WireEvent[], sent: number[]) => {
  const ids = events.map((event) => event.id)
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
  const ours = events.filter((event) => messageNumber(event) !== undefined)
  expect(ours.map((event) => (event.message as { id: number }).id)).toEqual([...sent].sort((a, b) => a - b))
}

/** Creates a channel in which Ada sends and Grace receives. `urls` returns the gateways that serve the realm now. */
const start = async (urls: () => readonly string[] = gateways) => {
  const realm = await newRealm()
  const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  const url = () => ({ url: randomItem(urls()) })
  const both = { subscriptions: [{ name: 'general' }], principals: [ada.user_id, grace.user_id] }
  await ok(ada, 'POST', '/users/me/subscriptions', both, url())
  const { queue_id, last_event_id } = await ok(grace, 'POST', '/register', { event_types: ['message'] }, url())
  const sent: number[] = []
  let attempts = 0
  const send = async () => {
    const content = `m${++attempts}`
    const { id } = await ok(ada, 'POST', '/messages', { type: 'stream', to: 'general', topic: 't', content }, url())
    sent.push(id)
  }
  return { realm, ada, grace, cursor: { queue_id, last_event_id }, send, sent }
}

describe('A client that switches transport and gateway', () => {
  test('A client that switches transport and gateway receives each of 1,000 messages exactly once and in order.', {
    timeout: 180_000,
  }, async () => {
    const { realm, grace, cursor, send, sent } = await start()
    await using _ = realm
    const reading = readMessages(grace, cursor, 1_000, gateways)
    for (let n = 0; n < 1_000; n += 4) await Promise.all([send(), send(), send(), send()])
    expectExactlyOnce(await reading, sent)
  })

  test('No event is lost while Redis is killed three times and restarts empty.', { timeout: 180_000 }, async () => {
    const redis = await startRedis()
    const fleet = await Promise.all([1, 2, 3].map(() => startGateway({ REDIS_URL: redis.url })))
    const urls = () => fleet.map(({ url }) => url)
    const { realm, grace, cursor, send, sent } = await start(urls)
    await using _ = realm
    const reading = readMessages(grace, cursor, 1_000, urls)
    for (let n = 0; n < 1_000; n += 10) {
      if (n === 250 || n === 500 || n === 750) await redis.kill()
      await Promise.all(Array.from({ length: 10 }, send))
      if (n === 290 || n === 540 || n === 790) await redis.start()
    }
    expectExactlyOnce(await reading, sent)
    await Promise.all(fleet.map((gateway) => gateway.stop()))
  })

  test('No event is lost while gateways are stopped, killed and replaced.', { timeout: 180_000 }, async () => {
    const fleet = await Promise.all([1, 2, 3].map(() => startGateway()))
    const urls = () => fleet.map(({ url }) => url)
    const { realm, grace, cursor, send, sent } = await start(urls)
    await using _ = realm
    const reading = readMessages(grace, cursor, 1_000, urls)
    /** Stops a gateway with `signal` and puts a new one in its place. */
    const replace = async (i: number, signal: NodeJS.Signals) => {
      const gateway = fleet[i] as TestProcess
      const successor = startGateway()
      gateway.signal(signal)
      await gateway.ended
      fleet[i] = await successor
    }
    let stored = 0
    const sending = async () => {
      while (stored < 1_000) {
        // A send to a gateway that is stopping may get no answer. Only the database shows whether the message was
        // stored.
        await Promise.all(Array.from({ length: 4 }, () => send().catch(() => {})))
        stored = await countMessages(realm)
      }
    }
    const disasters = async () => {
      for (const i of [0, 1, 2]) await replace(i, 'SIGTERM')
      await replace(1, 'SIGKILL')
    }
    await Promise.all([sending(), disasters()])
    const events = await reading
    const all = await storedMessages(realm)
    expectExactlyOnce(events, all.slice(0, events.filter((event) => messageNumber(event) !== undefined).length))
    expect(all).toEqual(expect.arrayContaining(sent))
    await Promise.all(fleet.map((gateway) => gateway.stop()))
  })
})

const storedMessages = async ({ sql, realm_id }: TestRealm): Promise<number[]> => {
  const rows = await sql<{ id: number }[]>`
    select id from messages where realm_id = ${realm_id} and content like 'm%' order by id`
  return rows.map(({ id }) => id)
}

const countMessages = async (realm: TestRealm): Promise<number> => (await storedMessages(realm)).length
