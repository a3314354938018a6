/** The bus of a process on one Redis server: its connection, and its subscriptions after the loss of it. */
import { expect, onTestFinished, test } from 'vitest'
import { openBus } from '../../src/store/log/bus.js'
import { fixScope } from '../../src/store/redis-scope.js'
import { startRedisNode } from '../setup/processes/redis-servers.js'

const scope = fixScope('parley:tested')

/** A Redis server, and the buses of two processes. `received` lists the queues named by publications to the second. */
const openTwoBuses = async () => {
  const { port, client, kill } = await startRedisNode()
  onTestFinished(kill)
  const url = `redis://127.0.0.1:${port}`
  const received: string[] = []
  const first = openBus(url, scope, () => {})
  const second = openBus(url, scope, (message) => {
    if ('queue_deleted' in message) received.push(message.queue_deleted)
  })
  onTestFinished(async () => {
    await Promise.all([first.close(), second.close()])
  })
  await expect.poll(() => first.isUp() && second.isUp()).toBe(true)
  /** Resolves when each of these realms has so many subscribers. */
  const waitForSubscribers = async (counts: Record<number, number>) => {
    const channels = Object.keys(counts).map((realm_id) => `parley:tested:realm:${realm_id}`)
    const expected = Object.values(counts).flatMap((count, i) => [channels[i], count])
    await expect.poll(() => client.pubsub('NUMSUB', ...channels)).toEqual(expected)
  }
  const closeSubscribers = () => client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
  return { client, first, second, received, waitForSubscribers, closeSubscribers }
}

test('A process publishes and subscribes on one connection, and does not receive its own publications.', async () => {
  const { client, first, second, received, waitForSubscribers } = await openTwoBuses()
  second.follow(1)
  await waitForSubscribers({ 1: 1 })
  const connections = String(await client.client('LIST'))
    .trim()
    .split('\n')
  expect(connections).toHaveLength(3) // one is that of the test
  second.publish({ realm_id: 1, queue_deleted: 'own' })
  first.publish({ realm_id: 1, queue_deleted: 'other' })
  await expect.poll(() => received).toContain('other')
  expect(received).toEqual(['other'])
})

test('After the loss of its connection, a process is subscribed to the channels of the realms that it follows now.', async () => {
  const { first, second, received, waitForSubscribers, closeSubscribers } = await openTwoBuses()
  second.follow(1)
  second.follow(2)
  await waitForSubscribers({ 1: 1, 2: 1 })
  await closeSubscribers()
  second.follow(3)
  second.unfollow(1)
  await waitForSubscribers({ 1: 0, 2: 1, 3: 1 })
  for (const realm_id of [1, 2, 3]) first.publish({ realm_id, queue_deleted: `of realm ${realm_id}` })
  await expect.poll(() => received).toEqual(['of realm 2', 'of realm 3'])
})

test('A process warns while Redis refuses its publications or its subscriptions, and not after it permits them.', async () => {
  const { port, client, kill } = await startRedisNode()
  onTestFinished(kill)
  // The rules of a new user name no channel.
  await client.call('ACL', 'SETUSER', 'parley', 'on', 'nopass', '~*', '+@all')
  const bus = openBus(`redis://parley:x@127.0.0.1:${port}`, scope, () => {})
  onTestFinished(() => bus.close())
  await expect.poll(() => bus.isUp(), { timeout: 10_000 }).toBe(true)
  expect(bus.findWarning()).toBeUndefined()
  bus.publish({ realm_id: 1, queue_deleted: 'x' })
  await expect
    .poll(() => bus.findWarning(), { timeout: 10_000 })
    .toMatch(/may not publish or subscribe, so events are late: NOPERM/)
  await client.call('ACL', 'SETUSER', 'parley', '&parley:tested:realm:1')
  bus.publish({ realm_id: 1, queue_deleted: 'x' })
  await expect.poll(() => bus.findWarning(), { timeout: 10_000 }).toBeUndefined()
  bus.follow(2)
  await expect.poll(() => bus.findWarning(), { timeout: 10_000 }).toMatch(/NOPERM/)
  await client.call('ACL', 'SETUSER', 'parley', '&parley:tested:realm:*')
  await client.call('CLIENT', 'KILL', 'USER', 'parley')
  await expect
    .poll(() => client.pubsub('NUMSUB', 'parley:tested:realm:2'), { timeout: 10_000 })
    .toEqual(['parley:tested:realm:2', 1])
  expect(bus.findWarning()).toBeUndefined()
})
