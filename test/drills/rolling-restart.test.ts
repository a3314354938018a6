/**
 * A rolling restart behind HAProxy with the configuration of deploy/: no client notices it, apart from connections that
 * end with "resume". There is no stickiness: each connection goes to any gateway.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/dev/ports.js'
import { startRelays } from '../setup/clients/library-client.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { startGateway, type TestProcess } from '../setup/processes/processes.js'
import { findHaproxy, startHaproxyOfFleet } from '../setup/proxies/proxies.js'
import { basicAuthorization, transports } from '../setup/realm/event-reader.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { openRawConnection } from '../setup/requests/raw-request.js'
import {
  compare,
  type Reader,
  type Sender,
  startClientSender,
  startReader,
  startSender,
  waitForReaders,
} from './readers.js'
import { isFull, reportFigures, seconds } from './report.js'

// Each channel has its own senders and its own share of the readers, so many small channels are a steady load of sends
// without a load of deliveries that the machine cannot carry.
const size = isFull
  ? {
      gateways: 3,
      proxies: 2,
      notice_ms: 3_000,
      readers: 10_000,
      queues: 50,
      channels: 40,
      senders: 80,
      period_ms: 4_000,
    }
  : {
      gateways: 2,
      proxies: 1,
      notice_ms: 2_500,
      readers: 18,
      queues: 9,
      channels: 2,
      senders: 8,
      period_ms: 0,
    }

/** Seconds of CPU that a process has used. */
const readCpu = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

test('During a rolling restart behind HAProxy, no call fails and no event is lost or doubled.', {
  timeout: isFull ? 900_000 : 60_000,
}, async ({ skip }) => {
  const haproxy = findHaproxy() ?? skip('this machine has no HAProxy and cannot unpack one')
  const ports = await Promise.all(Array.from({ length: size.gateways }, freePort))
  const start = (port: number) =>
    startGateway({
      PORT: String(port),
      DRAIN_NOTICE_MS: String(size.notice_ms),
      TRUSTED_PROXIES: '127.0.0.1',
      MAX_OPEN_REQUESTS_PER_ADDRESS: '20000',
    })
  const gateways = await Promise.all(ports.map(start))
  const proxies = await Promise.all(
    Array.from({ length: size.proxies }, () => startHaproxyOfFleet(haproxy, ports, isFull ? 9_000 : 400)),
  )
  onTestFinished(async () => {
    await Promise.all([...gateways.map((gateway) => gateway.stop()), ...proxies.map((p) => p[Symbol.asyncDispose]())])
  })
  let turn = 0
  const url = () => `http://127.0.0.1:${proxies[turn++ % proxies.length]?.port}`

  await using realm = await newRealm()
  const names = Array.from({ length: Math.ceil(size.readers / size.queues) + 1 }, (_, i) => `Reader ${i}`)
  const people = await realm.people(...names.map((full_name) => ({ full_name, settings: neverFollowing })))
  const [ada] = people as [Person]
  await expect.poll(() => ok(ada, 'GET', '/users/me', {}, { url: url() }), { timeout: 10_000 }).toBeTruthy()
  const readers: Reader[] = []
  const channels = Array.from({ length: size.channels }, (_, i) => ({
    name: `channel ${i}`,
    readers: [] as Reader[],
    senders: [] as Sender[],
  }))
  const channelOf = (i: number) => channels[i % channels.length] as (typeof channels)[number]
  for (const [i, { name }] of channels.entries()) {
    const principals = people.filter((_, j) => j === 0 || j % channels.length === i).map(({ user_id }) => user_id)
    await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals })
  }
  const register = async (i: number) => {
    const owner = 1 + Math.floor(i / size.queues)
    const account = people[owner] as Person
    const options = { event_types: ['message'], fetch_event_types: [] }
    const cursor = await ok(account, 'POST', '/register', options)
    const reader = startReader(transports[i % transports.length] ?? 'poll', url, account, cursor)
    readers.push(reader)
    channelOf(owner).readers.push(reader)
  }
  for (let i = 0; i < size.readers; i += 20) {
    await Promise.all(Array.from({ length: Math.min(20, size.readers - i) }, (_, j) => register(i + j)))
  }
  await using relays = await startRelays(
    realm.host,
    proxies.map(({ port }) => `http://127.0.0.1:${port}`),
  )
  const senders: Sender[] = []
  for (let i = 0; i < size.senders; i += 1) {
    const { name, senders: ofChannel } = channelOf(i)
    const fields = { type: 'stream' as const, to: name, topic: 't' }
    // Every second one sends over a socket.
    const sender =
      Math.floor(i / size.channels) % 2 === 0
        ? startSender(url, ada, fields, 0, size.period_ms)
        : startClientSender(relays.client(ada), fields, 0, size.period_ms)
    senders.push(sender)
    ofChannel.push(sender)
    // They do not send at the same time.
    await sleep(size.period_ms / size.senders)
  }
  const acknowledgedIn = (channel: (typeof channels)[number]) =>
    channel.senders.flatMap((sender) => sender.acknowledged)
  const waitForAll = () =>
    Promise.all(channels.map((channel) => waitForReaders(channel.readers, acknowledgedIn(channel), 30_000)))
  await expect.poll(() => Math.min(...senders.map(({ times }) => times.length)), { timeout: 30_000 }).toBeGreaterThan(0)
  await waitForAll()

  const [began, sentBefore] = [performance.now(), senders.flatMap(({ times }) => times).length]
  const cpu: number[] = []
  for (const [i, port] of ports.entries()) {
    const others = gateways.filter((_, j) => j !== i)
    const before = others.map(({ pid }) => readCpu(pid))
    const gateway = gateways[i] as TestProcess
    gateway.signal('SIGTERM')
    expect(await gateway.ended).toBe('exit code 0')
    await waitForAll()
    cpu.push(others.reduce((sum, { pid }, j) => sum + readCpu(pid) - (before[j] ?? 0), 0))
    gateways[i] = await start(port)
    // The proxies use it again after a check.
    await sleep(1_500)
  }
  await Promise.all(senders.map((sender) => sender.stop()))
  const took = performance.now() - began
  await waitForAll()
  for (const reader of readers) reader.stop()

  const acknowledged = senders.flatMap((sender) => sender.acknowledged).length
  const perChannel = channels.map((channel) => compare(channel.readers, acknowledgedIn(channel)))
  const sum = (name: 'lost' | 'doubled' | 'outOfOrder') => perChannel.reduce((total, one) => total + one[name], 0)
  const [lost, doubled, outOfOrder] = [sum('lost'), sum('doubled'), sum('outOfOrder')]
  const failures = [
    ...senders.flatMap((sender) => sender.failures.map(({ reason }) => reason)),
    ...readers.flatMap((reader) => reader.failures),
  ]
  const gaps = readers.flatMap((reader) => reader.gaps).sort((a, b) => a - b)
  reportFigures('Rolling restart behind HAProxy', {
    connections: size.readers,
    restarts: ports.length,
    'sends during the restarts': acknowledged - sentBefore,
    'sends per second': (((acknowledged - sentBefore) * 1000) / took).toFixed(1),
    deliveries: readers.reduce((total, { messages }) => total + messages.length, 0),
    failed: failures.length,
    lost,
    doubled,
    'out of order': outOfOrder,
    'back, p50': seconds(gaps[Math.floor(gaps.length / 2)] ?? 0),
    'back, all': seconds(gaps.at(-1) ?? 0),
    'longest send': seconds(Math.max(...senders.map(({ longest }) => longest))),
    'CPU of the other gateways per restart': cpu.map((value) => `${value.toFixed(1)} s`).join(' '),
  })
  expect([...new Set(failures)]).toEqual([])
  expect({ lost, doubled, outOfOrder }).toEqual({ lost: 0, doubled: 0, outOfOrder: 0 })
})

test('A gateway that drains serves until load balancers have noticed, and announces that each connection ends.', async () => {
  const gateway = await startGateway({ DRAIN_NOTICE_MS: '1500' })
  await using realm = await newRealm()
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  const head = `Host: ${ada.host}\r\nAuthorization: ${basicAuthorization(ada)}\r\n\r\n`
  const ask = async (path: string) => {
    await using connection = await openRawConnection(portOf(gateway.url))
    connection.write(`GET ${path} HTTP/1.1\r\n${head}`)
    const { status, headers } = await connection.readHead()
    return [status, headers.connection]
  }
  expect(await ask('/api/v1/users/me')).toEqual([200, undefined])
  gateway.signal('SIGTERM')
  await expect.poll(() => ask('/health/ready')).toEqual([503, 'close'])
  expect(await ask('/api/v1/users/me')).toEqual([200, 'close'])
  expect(await gateway.ended).toBe('exit code 0')
})
