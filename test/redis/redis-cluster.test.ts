/** Parley on a Redis Cluster of six nodes, of which one is killed and a slot is moved. */
import { expect, test } from 'vitest'
import { queueName, queuePrefix } from '../../src/store/jobs/job-queue.js'
import { channelOf } from '../../src/store/log/bus.js'
import { findSlot } from '../../src/store/redis.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { startRedisCluster } from '../setup/processes/redis-cluster.js'
import { transports } from '../setup/realm/event-reader.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { expectExactlyOnce, readMessages, startMessageFlow } from '../setup/realm/message-flow.js'
import { call, ok } from '../setup/realm/realm.js'
import { readScopeOf } from '../setup/realm/scope.js'

/** The characters must be encoded in the URL. */
const PASSWORD = 'p@ss/word?#%'

/** Gateways do not ask Postgres during the test, so all events come through the bus, or with a later event. */
const NEVER_MS = String(3_600_000)

/** Two gateways, a worker, and the process of the test. */
const PROCESSES = 4

test('On a Redis Cluster, every event arrives once and every job runs once while a master dies and a slot moves.', {
  timeout: 120_000,
}, async () => {
  await using cluster = await startRedisCluster([`requirepass ${PASSWORD}`, `masterauth ${PASSWORD}`], {
    password: PASSWORD,
  })
  const seeds = cluster.nodes.slice(0, 2).map(({ port }) => `127.0.0.1:${port}`)
  const url = `redis+cluster://:${encodeURIComponent(PASSWORD)}@${seeds.join(',')}`
  const env = {
    ANTI_ENTROPY_MS: NEVER_MS,
    RATE_LIMITS: 'on',
    RATES: 'api_by_user=100000/60 events_by_user=100000/60 api_by_ip=100000/60 failed_authentication_by_ip=10/60',
  }
  const service = { url, async kill() {}, async start() {} }
  await using fleet = await startOwnFleet(env, undefined, service)
  await using second = await fleet.newGateway()
  await using _worker = await fleet.worker()
  const urls = () => [fleet.gateway.url, second.url]
  const flow = await startMessageFlow(urls, () => fleet.newRealm())
  const { ada, grace, realm } = flow
  const scope = await readScopeOf(realm.sql)
  await using _realm = realm
  const channel = channelOf(scope, realm.realm_id)
  const slot = findSlot(channel)

  const COUNT = 300
  const cursors = [flow.cursor, await flow.register(), await flow.register()]
  const readings = transports.map((transport, i) =>
    readMessages(grace, cursors[i] as (typeof cursors)[number], COUNT, urls, [transport]),
  )
  let isDone = false
  const sendAll = async () => {
    for (let n = 0; n < COUNT; n++) {
      await flow.send()
      // Slow enough for all that happens meanwhile.
      if (!isDone) await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
  const sending = sendAll()
  sending.catch(() => {})
  const names: string[] = []
  /** Causes one job for each name, and waits until they have run. */
  const notices = async (more: string[]) => {
    names.push(...more)
    for (const name of more) {
      const subscribe = (params: object) =>
        ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...params }, { url: second.url })
      await subscribe({})
      await subscribe({ principals: [grace.user_id] })
    }
    await waitForJobs(realm)
  }

  /** How many processes receive the publications about the realm from the master of its slot. */
  const countSubscribers = async (): Promise<number> => {
    const master = await cluster.findMaster(slot)
    const [, subscribers] = (await master.client.call('PUBSUB', 'SHARDNUMSUB', channel)) as [string, number]
    return subscribers
  }

  await notices(['before one', 'before two'])
  await expect.poll(countSubscribers).toBe(PROCESSES)
  const dead = await cluster.findMaster(slot)
  await Promise.all([cluster.kill(dead), notices(['while a master is dead'])])
  await cluster.waitUntilServed()
  await notices(['after the failover'])
  await expect.poll(countSubscribers, { timeout: 10_000 }).toBe(PROCESSES)
  await expect
    .poll(() => readReadiness(second.operations_url), { timeout: 15_000 })
    .toContain(`1 of 6 nodes of the Redis Cluster do not answer: 127.0.0.1:${dead.port}`)

  const former = await cluster.findMaster(slot)
  await cluster.moveSlot(slot)
  expect((await cluster.findMaster(slot)).port).not.toBe(former.port)
  await expect.poll(countSubscribers, { timeout: 10_000 }).toBe(PROCESSES)
  for (const name of ['notices', 'mail'] as const) {
    const queue = queueName(name)
    await cluster.moveSlot(findSlot(`${queuePrefix(url, scope, queue)}:${queue}:wait`))
  }
  await notices(['after the move'])
  isDone = true
  await sending

  for (const events of await Promise.all(readings)) expectExactlyOnce(events, flow.sent)
  const told = await realm.sql<{ content: string }[]>`
    select content from messages
    where realm_id = ${realm.realm_id} and sender_id = 1 and content like '%subscribed you to%' order by id`
  expect(told.map(({ content }) => /#\*\*(.*)\*\*/.exec(content)?.[1]).sort()).toEqual(names.sort())

  const statuses: number[] = []
  for (let n = 0; n < 15; n++) {
    const wrong = { ...ada, api_key: 'x'.repeat(32) }
    const { status } = await call(wrong, 'GET', '/users/me', {}, { url: urls()[n % 2] as string })
    statuses.push(status)
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(10)
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
})

const readReadiness = async (url: string): Promise<string> => (await fetch(`${url}/health/ready`)).text()
