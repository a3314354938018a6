/**
 * Gateways and a worker that read from a standby. Reads see every answered write and never fail, while the standby is
 * behind, cut off, killed and back.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errors } from '../../src/domain/protocol/errors.js'
import { migrate } from '../../src/store/migrations.js'
import type { Sql } from '../../src/store/sql.js'
import { openStandbyReads, type StandbyReads } from '../../src/store/standbys/standby-reads.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { startGateway, startRedis, startWorker, type TestProcess } from '../setup/processes/processes.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { sendRequest } from '../setup/requests/raw-request.js'
import { type PairServer, type PostgresPair, startPostgresPair } from './postgres-pair.js'
import { isFull } from './report.js'

/** Sends and reads while the standby is in one state. */
const ROUNDS = isFull ? 200 : 8
/** For what depends on the speed of the machine. */
const patient = { timeout: 15_000 }

let pair: PostgresPair
let primary: PairServer
let standby: PairServer
/** the standby, behind its link */
let read_url: string
let services: Record<'DATABASE_URL' | 'DATABASE_READ_URL' | 'REDIS_URL', string>
let gateways: TestProcess[] = []
let realm: TestRealm
let ada: Person

beforeAll(async () => {
  pair = await startPostgresPair(false)
  ;[primary, standby] = pair.servers
  await migrate(primary.sql)
  const url = new URL(standby.url)
  url.port = String(standby.link.port)
  read_url = url.href
  const redis = await startRedis()
  services = { DATABASE_URL: primary.url, DATABASE_READ_URL: read_url, REDIS_URL: redis.url }
  gateways = await Promise.all([startGateway(services), startGateway(services)])
  realm = await newRealm({ database_url: primary.url, redis_url: redis.url })
  ;[ada] = (await realm.people({ full_name: 'Ada', role: 100, settings: neverFollowing })) as [Person]
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] }, writing())
}, 120_000)

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await realm[Symbol.asyncDispose]()
  await pair[Symbol.asyncDispose]()
}, 60_000)

const writing = () => ({ url: gateways[0]?.url ?? '' })
const reading = () => ({ url: gateways[1]?.url ?? '' })

const pauseReplay = () => standby.sql`select pg_wal_replay_pause()`
const resumeReplay = () => standby.sql`select pg_wal_replay_resume()`

/** How many reads of the second gateway had this result. */
const countReads = async (result: string, { operations_url } = gateways[1] as TestProcess): Promise<number> => {
  const { text } = await sendRequest(portOf(operations_url), { path: '/metrics' })
  return Number(new RegExp(`^parley_standby_reads_total\\{result="${result}"\\} (\\d+)`, 'm').exec(text)?.[1])
}

let words = 0

/** Sends a message with a word of its own. */
const send = async (): Promise<{ id: number; word: string }> => {
  const word = `word${++words}`
  const fields = { type: 'stream', to: 'general', topic: 't', content: `say ${word}` }
  return { ...(await ok(ada, 'POST', '/messages', fields, writing())), word }
}

const fetchNewest = async () => {
  const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [] }
  const { messages } = await ok(ada, 'GET', '/messages', page, reading())
  const [newest] = messages
  if (newest === undefined) throw new Error('there is no message')
  return newest
}

const search = async (text: string): Promise<number[]> => {
  const narrow = [{ operator: 'search', operand: text }]
  const page = { anchor: 'newest', num_before: 5, num_after: 0, narrow }
  const { messages } = await ok(ada, 'GET', '/messages', page, reading())
  return messages.map(({ id }: { id: number }) => id)
}

/** Changes things, and expects each time that a read through the other gateway sees it. */
const changeAndRead = async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id, word } = await send()
    expect(await fetchNewest()).toMatchObject({ id, content: expect.stringContaining(word) })
    expect(await search(word)).toEqual([id])
    await ok(ada, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' }, writing())
    expect((await fetchNewest()).flags).toContain('starred')
  }
}

/** Resolves when the standby runs reads again. */
const waitForStandby = async () => {
  const before = await countReads('standby')
  const read = async () => {
    await fetchNewest()
    return countReads('standby')
  }
  await expect.poll(read, patient).toBeGreaterThan(before)
}

test('Pages of history and searches run on the standby.', { timeout: 60_000 }, async () => {
  const { id, word } = await send()
  await waitForStandby()
  await pauseReplay()
  // Not a change of a realm: it does not move the head.
  await primary.sql`
    update messages set rendered_content = '<p>elsewhere</p>' where realm_id = ${realm.realm_id} and id = ${id}`
  // On a slow machine the primary may run the first ones, because the standby has not answered in time.
  await expect.poll(async () => (await fetchNewest()).content, patient).toContain(word)
  await expect.poll(async () => [await search(word), await search('elsewhere')], patient).toEqual([[id], []])
  await resumeReplay()
  await expect.poll(async () => (await fetchNewest()).content, patient).toBe('<p>elsewhere</p>')
})

test('An export reads messages from the standby.', { timeout: 60_000 }, async () => {
  await using worker = await startWorker(services)
  const countDone = async () => {
    const { exports } = await ok(ada, 'GET', '/export/realm', {}, writing())
    return exports.filter(({ export_url }) => export_url !== null).length
  }
  // The worker may not have asked the standby yet when an export begins.
  for (let done = 0; (await countReads('standby', worker)) === 0 && done < 5; done++) {
    await ok(ada, 'POST', '/export/realm', {}, writing())
    await expect.poll(countDone, patient).toBe(done + 1)
  }
  expect(await countReads('standby', worker)).toBeGreaterThan(0)
})

test('A read sees every answered write while the standby replays nothing.', { timeout: 60_000 }, async () => {
  const before = await countReads('behind')
  await pauseReplay()
  await changeAndRead()
  expect(await countReads('behind')).toBeGreaterThan(before)
  await resumeReplay()
  await waitForStandby()
  await changeAndRead()
})

test('A read sees every answered write while the standby is cut off, killed, and back.', {
  timeout: 120_000,
}, async () => {
  standby.link.cut()
  await changeAndRead()
  standby.link.restore()
  await waitForStandby()
  await standby.kill()
  await changeAndRead()
  await standby.start()
  await changeAndRead()
  await waitForStandby()
  expect(await countReads('away')).toBeGreaterThan(0)
})

describe('The standbys of a process', () => {
  let standbys: StandbyReads
  const isPrimary = (sql: Sql) => sql === primary.sql
  const quiet = { id: 0, seq: 0 }
  const where = () => standbys.run(quiet, async (sql) => (isPrimary(sql) ? 'primary' : 'standby'))

  beforeAll(async () => {
    standbys = openStandbyReads(primary.sql, read_url, 2)
    while ((await where()) !== 'standby') await sleep(50)
  })
  afterAll(() => standbys.close())

  test.each([
    ['a conflict with the replay', '40001'],
    ['a connection that was ended', '57P01'],
    ['a query that was cancelled', '57014'],
  ])('A read that fails with %s runs again on the primary.', async (_, code) => {
    const failed = standbys.counts.failed
    const result = await standbys.run(quiet, async (sql) =>
      isPrimary(sql) ? 'primary' : sql.unsafe(`do $$ begin raise exception using errcode = '${code}'; end $$`),
    )
    expect([result, standbys.counts.failed]).toEqual(['primary', failed + 1])
  })

  test('A refusal of a read is final.', async () => {
    let runs = 0
    const refused = standbys.run(quiet, async () => {
      runs += 1
      throw errors.badNarrow({ desc: 'x' })
    })
    await expect(refused).rejects.toMatchObject({ code: 'BAD_NARROW' })
    expect(runs).toBe(1)
  })

  test('A read that waits for an answer of a standby whose network is cut runs again on the primary.', {
    timeout: 60_000,
  }, async () => {
    const result = standbys.run(quiet, async (sql) =>
      isPrimary(sql) ? 'primary' : sql`select pg_sleep(60)`.then(() => 'standby'),
    )
    await expect
      .poll(() => standby.sql`select from pg_stat_activity where query = 'select pg_sleep(60)'`, patient)
      .toHaveLength(1)
    standby.link.cut()
    expect(await result).toBe('primary')
    expect(standbys.findWarning()).toContain('did not answer')
    standby.link.restore()
    await expect.poll(where, patient).toBe('standby')
  })

  test('A server that is no standby runs no reads, and operators are warned.', async () => {
    const wrong = openStandbyReads(primary.sql, primary.url, 2)
    await expect.poll(() => wrong.findWarning(), patient).toContain('it is no standby')
    expect(await wrong.run(quiet, async (sql) => isPrimary(sql))).toBe(true)
    await wrong.close()
  })
})
