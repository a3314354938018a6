/** Parley behind Redis Sentinel: the master is killed, and its replica takes over. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { channelOf } from '../../src/store/log/bus.js'
import { makeCertificates } from '../setup/processes/certificates.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { startRedisNode } from '../setup/processes/redis-servers.js'
import { transports } from '../setup/realm/event-reader.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { expectExactlyOnce, readMessages, startMessageFlow } from '../setup/realm/message-flow.js'
import { ok } from '../setup/realm/realm.js'
import { readScopeOf } from '../setup/realm/scope.js'

test('Behind Redis Sentinel, with TLS and passwords, every event arrives once and every job runs once while the master dies.', {
  timeout: 180_000,
}, async () => {
  const { ca, cert, key } = makeCertificates()
  const secure = [`tls-ca-cert-file ${ca}`, `tls-cert-file ${cert}`, `tls-key-file ${key}`, 'tls-replication yes']
  const tls = { ca: readFileSync(ca), cert: readFileSync(cert), key: readFileSync(key) }
  const login = ['requirepass secret', 'masterauth secret', 'repl-diskless-sync-delay 0']
  const master = await startRedisNode([...secure, ...login], { tls, password: 'secret' })
  const replica = await startRedisNode([...secure, ...login, `replicaof 127.0.0.1 ${master.port}`], {
    tls,
    password: 'secret',
  })
  await expect.poll(() => replica.client.info('replication'), { timeout: 15_000 }).toContain('master_link_status:up')
  const watch = [
    `sentinel monitor parley 127.0.0.1 ${master.port} 2`,
    'sentinel auth-pass parley secret',
    // Longer than this machine stalls: nothing fails over before the master is killed.
    'sentinel down-after-milliseconds parley 60000',
    'sentinel failover-timeout parley 5000',
    'requirepass watcher',
    'sentinel sentinel-pass watcher',
  ]
  const sentinels = await Promise.all(
    [1, 2, 3].map(() => startRedisNode([...secure, ...watch], { tls, password: 'watcher' }, 'sentinel')),
  )
  for (const { client } of sentinels) {
    await expect
      .poll(async () => String(await client.call('SENTINEL', 'CKQUORUM', 'parley').catch(() => '')), {
        timeout: 15_000,
      })
      .toContain('3 usable Sentinels')
    await expect
      .poll(async () => (await client.call('SENTINEL', 'REPLICAS', 'parley')) as unknown[], { timeout: 15_000 })
      .toHaveLength(1)
  }

  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const files = `ssl_ca_certs=${ca}&ssl_certfile=${cert}&ssl_keyfile=${key}`
  const url = `rediss+sentinel://:secret@${hosts}/parley?sentinel_password=watcher&${files}`
  const service = { url, async kill() {}, async start() {} }
  // Gateways do not ask Postgres during the test, so all events come through the bus, or with a later event.
  await using fleet = await startOwnFleet({ ANTI_ENTROPY_MS: '3600000' }, undefined, service)
  await using second = await fleet.newGateway()
  await using _worker = await fleet.worker()
  const urls = () => [fleet.gateway.url, second.url]
  const flow = await startMessageFlow(urls, () => fleet.newRealm())
  const { ada, grace, realm } = flow
  await using _realm = realm
  const channel = channelOf(await readScopeOf(realm.sql), realm.realm_id)

  const COUNT = 150
  const reading = readMessages(grace, flow.cursor, COUNT, urls, transports)
  let isDone = false
  const sending = (async () => {
    for (let n = 0; n < COUNT; n++) {
      await flow.send()
      if (!isDone) await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  sending.catch(() => {})
  const subscribe = (name: string, params: object = {}) =>
    ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...params }, { url: second.url })
  const notice = async (name: string) => {
    await subscribe(name)
    await subscribe(name, { principals: [grace.user_id] })
    await waitForJobs(realm)
  }
  const countSubscribers = (client: typeof master.client) => async () => {
    const [, subscribers] = (await client.pubsub('NUMSUB', channel)) as [string, number]
    return subscribers
  }

  await notice('before')
  // Two gateways, a worker, and the process of the test.
  await expect.poll(countSubscribers(master.client)).toBe(4)
  for (const { client } of sentinels) {
    await client.call('SENTINEL', 'SET', 'parley', 'down-after-milliseconds', '1000')
  }
  await Promise.all([master.kill(), notice('while the master is dead')])
  // A sentinel that has stalled itself does nothing for half a minute.
  await expect.poll(async () => (await replica.client.role())[0], { timeout: 60_000 }).toBe('master')
  await expect.poll(countSubscribers(replica.client), { timeout: 15_000 }).toBe(4)
  await notice('after the failover')
  isDone = true
  await sending
  expectExactlyOnce(await reading, flow.sent)
  const told = await realm.sql<{ content: string }[]>`
    select content from messages
    where realm_id = ${realm.realm_id} and sender_id = 1 and content like '%subscribed you to%' order by id`
  expect(told).toHaveLength(3)
  await Promise.all([replica, ...sentinels].map((node) => node.kill()))
})
