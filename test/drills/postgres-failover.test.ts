/**
 * The loss of the Postgres primary under load on all transports, with a synchronous standby that takes its place. No
 * write that was acknowledged is lost, and no reader misses an event or gets one twice or out of order.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/store/migrations.js'
import { openSql } from '../../src/store/sql.js'
import { startGateway, startRedis, type TestProcess } from '../setup/processes/processes.js'
import { transports } from '../setup/realm/event-reader.js'
import { call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { type PairServer, type PostgresPair, startPostgresPair } from './postgres-pair.js'
import { compare, startReader, startSender, waitForReaders } from './readers.js'
import { isFull, reportFigures, seconds } from './report.js'

// An account has at most 250 queues.
const READERS = isFull ? 240 : 12
const SENDERS = 4
/** Milliseconds of load before the loss. */
const BEFORE_MS = isFull ? 5_000 : 1_500

let env: Record<string, string>
let pair: PostgresPair
let gateways: TestProcess[] = []
let realm: TestRealm
let ada: Person
let grace: Person
/** the server that is the primary now */
let primary: PairServer
let standby: PairServer

beforeAll(async () => {
  pair = await startPostgresPair()
  ;[primary, standby] = pair.servers
  const sql = openSql(pair.url, 1)
  await migrate(sql)
  await sql.end()
  const redis = await startRedis()
  env = { DATABASE_URL: pair.url, REDIS_URL: redis.url }
  gateways = await Promise.all([startGateway(env), startGateway(env)])
  realm = await newRealm({ database_url: pair.url, redis_url: redis.url })
  const settings = neverFollowing
  ;[ada, grace] = (await realm.people({ full_name: 'Ada', settings }, { full_name: 'Grace', settings })) as [
    Person,
    Person,
  ]
  const principals = [ada.user_id, grace.user_id]
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }], principals }, at(0))
}, 120_000)

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await realm[Symbol.asyncDispose]()
  await pair[Symbol.asyncDispose]()
}, 60_000)

const urlOf = (i: number) => gateways[i % gateways.length]?.url ?? ''
const at = (i: number) => ({ url: urlOf(i) })

/**
 * Lets senders and readers work while `lose` takes the primary away and the standby is promoted, and compares what
 * readers received with what is stored and what was acknowledged.
 */
const drill = async (scenario: string, lose: () => Promise<void>) => {
  const readers = await Promise.all(
    Array.from({ length: READERS }, async (_, i) => {
      const options = { event_types: ['message'], fetch_event_types: [] }
      const cursor = await ok(grace, 'POST', '/register', options, at(i))
      return startReader(transports[i % transports.length] ?? 'poll', () => urlOf(i), grace, cursor)
    }),
  )
  const before = await loadMessages(primary)
  const fields = { type: 'stream', to: 'general', topic: 't' }
  const senders = Array.from({ length: SENDERS }, (_, i) => startSender(() => urlOf(i), ada, fields, 5))
  await sleep(BEFORE_MS)
  const lostAt = performance.now()
  await lose()
  await sleep(200)
  await pair.promote(standby)
  const promotedAt = performance.now()
  const continued = () => senders.every(({ times }) => (times.at(-1) ?? 0) > promotedAt)
  await expect.poll(continued, { timeout: 30_000, interval: 20 }).toBe(true)
  const firstWrite = Math.min(...senders.flatMap(({ times }) => times.filter((time) => time > promotedAt)))
  await Promise.all(senders.map((sender) => sender.stop()))
  const acknowledged = senders.flatMap((sender) => sender.acknowledged)
  const stored = (await loadMessages(standby)).filter((id) => !before.includes(id))
  await waitForReaders(readers, stored, 30_000)
  const allReadAt = performance.now()
  for (const reader of readers) reader.stop()

  const { doubled, outOfOrder } = compare(readers, acknowledged)
  const lost = acknowledged.filter((id) => !stored.includes(id)).length
  const missed = readers.flatMap(({ messages }) => stored.filter((id) => !messages.includes(id))).length
  const refused = senders.flatMap((sender) => sender.failures)
  const statuses = [...new Set(refused.map(({ reason }) => reason.slice(0, 3)))]
  reportFigures(scenario, {
    connections: READERS,
    acknowledged: acknowledged.length,
    'refused sends': refused.length,
    lost,
    'missed by readers': missed,
    doubled,
    'out of order': outOfOrder,
    'writes continue after the promotion': seconds(firstWrite - promotedAt),
    'after the loss': seconds(firstWrite - lostAt),
    'all readers complete after the first write': seconds(allReadAt - firstWrite),
    'longest send': seconds(Math.max(...senders.map(({ longest }) => longest))),
  })
  expect({ lost, missed, doubled, outOfOrder }).toEqual({ lost: 0, missed: 0, doubled: 0, outOfOrder: 0 })
  expect(statuses).toEqual(['503'])
  ;[primary, standby] = [standby, primary]
}

const loadMessages = async ({ sql }: PairServer): Promise<number[]> => {
  const rows = await sql<{ id: number }[]>`
    select id from messages where realm_id = ${realm.realm_id} and content like 's%number%' order by id`
  return rows.map(({ id }) => id)
}

test('No acknowledged write and no event is lost when the primary is killed and its standby promoted.', {
  timeout: 90_000,
}, async () => {
  await drill('Postgres: the primary is killed', () => primary.kill())
  // The new primary is the same database: no process takes it for a copy.
  await using fresh = await startGateway(env)
  await expect
    .poll(async () => (await fetch(`${fresh.operations_url}/health/ready`)).text(), { timeout: 20_000 })
    .toContain('"isReady":true')
  const { warnings } = (await (await fetch(`${fresh.operations_url}/health/ready`)).json()) as { warnings: string[] }
  expect(warnings.filter((warning) => /copy|adopt/.test(warning))).toEqual([])
  const [row] = await primary.sql`select database not like 'copy%' as is_original from deployment`
  expect(row).toEqual({ is_original: true })
})

test('No acknowledged write is lost when the network of the primary is cut, which accepts no write any more.', {
  timeout: 90_000,
}, async () => {
  // The server that was killed is the standby now.
  await pair.rejoin(standby, primary)
  const old = primary
  await drill('Postgres: the network of the primary is cut', async () => old.link.cut())

  // It still believes that it is the primary, and cannot commit without its standby.
  // Not a row that a waiting send has locked.
  const write = old.sql`update realms set name = name where id = ${realm.realm_id}`
  const outcome = write.then(
    () => 'acknowledged',
    (error: Error & { code: string }) => error.code,
  )
  expect(await Promise.race([outcome, sleep(500).then(() => 'waiting')])).toBe('waiting')
  // Cancelling its wait does not make it an acknowledged write.
  const [waiting] = await old.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where wait_event = 'SyncRep' and query like 'update realms set name = name %'`
  await old.sql`select pg_cancel_backend(${waiting?.pid ?? 0})`
  expect(await outcome).toBe('COMMIT_NOT_REPLICATED')

  // Sends that were under way when the network was cut wait for the standby too. They become visible here, and only
  // here, when their wait ends: end it now, so that the number changes by nothing else than a new write.
  await expect
    .poll(async () => {
      const waits = await old.sql`
        select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
      return waits.length
    })
    .toBe(0)
  const count = async () => (await loadMessages(old)).length
  const before = await count()

  // When its network is back, no gateway writes to it, or reads from it.
  old.link.restore()
  await sleep(1_500)
  const { status } = await call(ada, 'POST', '/messages', { type: 'direct', to: [ada.user_id], content: 'x' }, at(0))
  expect([status, await count()]).toEqual([200, before])

  // It comes back as the synchronous standby, from a new base backup, and has what it lacked.
  await old.kill()
  await pair.rejoin(old, primary)
  const fields = { type: 'stream', to: 'general', topic: 't', content: 'same number' }
  await ok(ada, 'POST', '/messages', fields, at(0))
  const stored = await loadMessages(primary)
  expect(stored.length).toBeGreaterThan(before)
  // The primary waits until the standby has a commit on disk, and not until queries see it there.
  await expect.poll(() => loadMessages(old), { timeout: 10_000 }).toEqual(stored)
})
