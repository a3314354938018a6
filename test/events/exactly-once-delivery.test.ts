/**
 * Exactly-once delivery: a client that changes transport and gateway between any two events receives every event once
 * and in order, while Redis and the gateways are killed and restarted.
 */
import { describe, expect, test } from 'vitest'
import { startGateway, startRedis, type TestProcess } from '../setup/processes/processes.js'
import { expectExactlyOnce, messageNumber, readMessages, startMessageFlow } from '../setup/realm/message-flow.js'
import { gateways, type TestRealm } from '../setup/realm/realm.js'

describe('A client that switches transport and gateway', () => {
  test('A client that switches transport and gateway receives each of 1,000 messages exactly once and in order.', {
    timeout: 180_000,
  }, async () => {
    const { realm, grace, cursor, send, sent } = await startMessageFlow()
    await using _ = realm
    const reading = readMessages(grace, cursor, 1_000, gateways)
    for (let n = 0; n < 1_000; n += 4) await Promise.all([send(), send(), send(), send()])
    expectExactlyOnce(await reading, sent)
  })

  test('No event is lost while Redis is killed three times and restarts empty.', { timeout: 180_000 }, async () => {
    const redis = await startRedis()
    const fleet = await Promise.all([1, 2, 3].map(() => startGateway({ REDIS_URL: redis.url })))
    const urls = () => fleet.map(({ url }) => url)
    const { realm, grace, cursor, send, sent } = await startMessageFlow(urls)
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
    const { realm, grace, cursor, send, sent } = await startMessageFlow(urls)
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
