/**
 * Minutes without any Redis under load: no call fails, and no event is lost or doubled. It prints how late events are
 * at clients of another gateway than the sender's: with Redis, without it, and after it is back, empty.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startGateway, startRedis } from '../setup/processes/processes.js'
import { transports } from '../setup/realm/event-reader.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { compare, startReader, startSender, waitForReaders } from './readers.js'
import { isFull, reportFigures, seconds } from './report.js'

const size = isFull
  ? { readers: 300, senders: 4, pause_ms: 200, with_ms: 30_000, without_ms: 300_000 }
  : { readers: 9, senders: 2, pause_ms: 100, with_ms: 1_500, without_ms: 3_000 }
/** An account may have so many queues in the drill. */
const QUEUES_PER_ACCOUNT = 50

test('During minutes without Redis, no call fails and no event is lost or doubled.', {
  timeout: isFull ? 900_000 : 60_000,
}, async () => {
  const redis = await startRedis()
  const [one, two] = await Promise.all([1, 2].map(() => startGateway({ REDIS_URL: redis.url })))
  const [senderUrl, readerUrl] = [() => one?.url ?? '', () => two?.url ?? '']
  await using realm = await newRealm({ redis_url: redis.url })
  const names = Array.from({ length: Math.ceil(size.readers / QUEUES_PER_ACCOUNT) + 1 }, (_, i) => `Reader ${i}`)
  const people = await realm.people(...names.map((full_name) => ({ full_name, settings: neverFollowing })))
  const [ada] = people as [Person]
  const principals = people.map(({ user_id }) => user_id)
  const subscriptions = [{ name: 'general' }]
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions, principals }, { url: senderUrl() })
  const readers = await Promise.all(
    Array.from({ length: size.readers }, async (_, i) => {
      const account = people[1 + Math.floor(i / QUEUES_PER_ACCOUNT)] as Person
      const options = { event_types: ['message'], fetch_event_types: [] }
      const cursor = await ok(account, 'POST', '/register', options, { url: readerUrl() })
      return startReader(transports[i % transports.length] ?? 'poll', readerUrl, account, cursor)
    }),
  )
  const fields = { type: 'stream', to: 'general', topic: 't' }
  const senders = Array.from({ length: size.senders }, () => startSender(senderUrl, ada, fields, size.pause_ms))
  const acknowledged = () => senders.flatMap((sender) => sender.acknowledged)
  await expect.poll(() => acknowledged().length, { timeout: 30_000 }).toBeGreaterThan(3)
  await waitForReaders(readers, acknowledged(), 30_000)

  /** The begin of each phase, as performance.now(). */
  const phases: [name: string, from: number][] = []
  const begin = (name: string) => phases.push([name, performance.now()])
  begin('with Redis')
  await sleep(size.with_ms)
  await redis.kill()
  begin('without Redis')
  await sleep(size.without_ms)
  await redis.start()
  begin('after its return')
  await sleep(size.with_ms)
  await Promise.all(senders.map((sender) => sender.stop()))
  const all = acknowledged()
  await waitForReaders(readers, all, 30_000)
  for (const reader of readers) reader.stop()

  const acknowledgedAt = new Map(senders.flatMap((sender) => sender.acknowledged.map((id, i) => [id, sender.times[i]])))
  const lateness = phases.map((): number[] => [])
  for (const reader of readers) {
    for (const [i, id] of reader.messages.entries()) {
      const sent = acknowledgedAt.get(id)
      const phase = phases.findLastIndex(([, from]) => sent !== undefined && sent >= from)
      if (sent !== undefined) lateness[phase]?.push(Math.max(0, (reader.times[i] ?? 0) - sent))
    }
  }
  const describeLateness = (values: readonly number[]) => {
    const sorted = values.toSorted((a, b) => a - b)
    const at = (share: number) => `${Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)} ms`
    return `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)}`
  }
  const { lost, doubled, outOfOrder } = compare(readers, all)
  const failures = [
    ...senders.flatMap((sender) => sender.failures.map(({ reason }) => reason)),
    ...readers.flatMap((reader) => reader.failures),
  ]
  reportFigures(`${size.without_ms / 1000} s without Redis`, {
    connections: size.readers,
    acknowledged: all.length,
    failed: failures.length,
    lost,
    doubled,
    'out of order': outOfOrder,
    ...Object.fromEntries(phases.map(([name], i) => [`late ${name}`, describeLateness(lateness[i] ?? [])])),
    'longest send': seconds(Math.max(...senders.map(({ longest }) => longest))),
  })
  expect([...new Set(failures)]).toEqual([])
  expect({ lost, doubled, outOfOrder }).toEqual({ lost: 0, doubled: 0, outOfOrder: 0 })
  await Promise.all([one?.stop(), two?.stop(), redis.kill()])
})
