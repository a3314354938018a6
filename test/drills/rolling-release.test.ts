/**
 * An upgrade from the previous release to this one under load, and the rollback: gateways and workers of both run on
 * one database, which this release migrates meanwhile, and clients change between them with every connection.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/store/migrations.js'
import { openSql } from '../../src/store/sql.js'
import { buildRelease, findPreviousRelease } from '../releases/previous-release.js'
import { startGateway, startRedis, startWorker, type TestProcess } from '../setup/processes/processes.js'
import { transports } from '../setup/realm/event-reader.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { compare, startReader, startSender, waitForReaders } from './readers.js'
import { isFull, reportFigures, seconds } from './report.js'

const size = isFull
  ? { gateways: 3, readers: 200, senders: 8, pause_ms: 20, phase_ms: 5_000 }
  : { gateways: 1, readers: 9, senders: 3, pause_ms: 30, phase_ms: 600 }

/** One command of a release's command line. @returns the JSON that it prints */
const runCommand = <T>(clone: string, env: Record<string, string>, args: string[]): T => {
  const done = spawnSync(process.execPath, [join(clone, 'dist/cli.js'), ...args], { env, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`${args[0]}: ${done.stderr}`)
  return JSON.parse(done.stdout) as T
}

test('During an upgrade from the previous release and the rollback, no call fails and no event is lost or doubled.', {
  timeout: isFull ? 300_000 : 120_000,
}, async ({ skip }) => {
  const release = findPreviousRelease()
  if ('missing' in release) return skip(release.missing)
  const clone = buildRelease(release.commit)

  const server = new URL(inject('database_url'))
  const database = `rolling_release_${process.pid}`
  const outside = openSql(server.href, 1)
  await outside`create database ${outside(database)}`
  await outside.end()
  const DATABASE_URL = Object.assign(server, { pathname: `/${database}` }).href
  const redis = await startRedis()
  const env = { DATABASE_URL, REDIS_URL: redis.url, DRAIN_NOTICE_MS: '200' }
  const processes: TestProcess[] = []
  const sql = openSql(DATABASE_URL, 1)
  onTestFinished(async () => {
    await Promise.all(processes.map((one) => one.stop()))
    await sql.end({ timeout: 1 })
    await redis.kill()
  })
  const started = async (starting: Promise<TestProcess>) => {
    processes.push(await starting)
    return starting
  }
  const startOld = () => started(startGateway(env, clone))
  const startNew = () => started(startGateway(env))

  const commandEnv = { ...inject('process_env'), ...env }
  runCommand(clone, commandEnv, ['migrate'])
  const names = ['--owner-email', 'ada@parley.test', '--owner-name', 'Ada', '--name', 'Upgraded']
  interface Account {
    user_id: number
    email: string
    api_key: string
  }
  const host = 'upgraded.parley.test'
  const { owner } = runCommand<{ owner: Account }>(clone, commandEnv, ['create-realm', 'upgraded', ...names])
  const [ada] = [{ ...owner, host, full_name: 'Ada' }] as unknown as [Person]
  const oldWorker = await started(startWorker(env, clone))
  const fleet = await Promise.all(Array.from({ length: size.gateways }, startOld))
  let turn = 0
  const url = () => fleet[turn++ % fleet.length]?.url ?? ''

  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] }, { url: url() })
  const readers = await Promise.all(
    Array.from({ length: size.readers }, async (_, i) => {
      const options = { event_types: ['message'], fetch_event_types: [] }
      const cursor = await ok(ada, 'POST', '/register', options, { url: url() })
      return startReader(transports[i % transports.length] ?? 'poll', url, ada, cursor)
    }),
  )
  const fields = { type: 'stream', to: 'general', topic: 't' }
  const senders = Array.from({ length: size.senders }, () => startSender(url, ada, fields, size.pause_ms))
  const acknowledged = () => senders.flatMap((sender) => sender.acknowledged)

  // Calls that change structure and content, each through the next gateway.
  const refused: string[] = []
  let [isChanging, changes] = [true, 0]
  const change = async () => {
    while (isChanging) {
      const name = `channel ${++changes}`
      const message_id = acknowledged().at(-1)
      const calls: [method: 'POST' | 'PATCH' | 'DELETE', path: string, params: object][] = [
        ['POST', '/users/me/subscriptions', { subscriptions: [{ name }] }],
        ['PATCH', '/settings', { twenty_four_hour_time: changes % 2 === 0 }],
        ['PATCH', '/realm', { description: name }],
        ['DELETE', '/users/me/subscriptions', { subscriptions: [name] }],
        ['POST', '/users/me/status', { status_text: name }],
      ]
      if (message_id !== undefined) {
        calls.push(['POST', `/messages/${message_id}/reactions`, { emoji_name: 'tada' }])
        calls.push(['PATCH', `/messages/${message_id}`, { content: `${name} edited` }])
      }
      for (const [method, path, params] of calls) {
        const { status, body } = await call(ada, method, path, params as Record<string, unknown>, { url: url() })
        if (status !== 200) refused.push(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
      }
    }
  }
  const changing = change()

  /** Replaces each gateway by one that `start` starts, while the others serve. */
  const roll = async (start: () => Promise<TestProcess>) => {
    for (const old of [...fleet]) {
      fleet.push(await start())
      await sleep(size.phase_ms)
      fleet.splice(fleet.indexOf(old), 1)
      old.signal('SIGTERM')
      expect(await old.ended).toBe('exit code 0')
    }
  }
  /** What a client gets that registers now, through each gateway. */
  const registerEverywhere = async () => {
    const fetch_event_types = ['realm', 'subscription', 'realm_user', 'user_settings', 'user_status']
    // The names that other clients read differ between the releases (docs/clients.md, "Names").
    const params = { fetch_event_types, client: 'ZulipMobile' }
    const answers = await Promise.all(fleet.map(({ url }) => ok(ada, 'POST', '/register', params, { url })))
    return answers.map(({ queue_id, last_event_id, event_queue_longpoll_timeout_seconds, ...rest }) => rest)
  }
  await migrate(sql)
  await sleep(size.phase_ms)
  const newWorker = await started(startWorker(env))
  await oldWorker.stop()
  await roll(startNew)
  // Another build is another release, also while the version of the protocol stays.
  const news = await sql`select from jobs where kind = 'restart_news'`
  expect([news.count, (await sql`select from releases`).count]).toEqual([1, 2])
  // The rollback goes as far as a mixture, so that the answers of both releases can be compared.
  fleet.push(await startOld())
  await sleep(size.phase_ms)
  isChanging = false
  await changing
  await Promise.all(senders.map((sender) => sender.stop()))
  const all = acknowledged()
  await waitForReaders(readers, all, 30_000)
  for (const reader of readers) reader.stop()
  const answers = await registerEverywhere()
  await newWorker.stop()

  const { lost, doubled, outOfOrder } = compare(readers, all)
  const failures = [
    ...refused,
    ...senders.flatMap((sender) => sender.failures.map(({ reason }) => reason)),
    ...readers.flatMap((reader) => reader.failures),
  ]
  reportFigures(`Upgrade from ${release.name}, and rollback`, {
    connections: size.readers,
    acknowledged: all.length,
    'other changes': changes * 7,
    failed: failures.length,
    lost,
    doubled,
    'out of order': outOfOrder,
    'longest send': seconds(Math.max(...senders.map(({ longest }) => longest))),
  })
  expect([...new Set(failures)]).toEqual([])
  expect({ lost, doubled, outOfOrder }).toEqual({ lost: 0, doubled: 0, outOfOrder: 0 })
  // A release may add keys to what a client gets. What both have is equal.
  const [known, ...others] = answers
  for (const other of others) expect(pickCommon(other, known)).toEqual(pickCommon(known, other))
})

/** What each gateway says of itself. */
const own = new Set(['zulip_version', 'zulip_merge_base', 'server_generation'])

/** What this release changed on purpose: v0.1.0 leads to Gravatars where this one draws pictures. */
const changed = new Set(['avatar_url', 'avatar_url_medium'])

/** The part of a value whose keys the other one has too. */
const pickCommon = (value: unknown, other: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item, i) => pickCommon(item, Array.isArray(other) ? other[i] : undefined))
  if (!isObject(value) || !isObject(other)) return value
  const keys = Object.keys(value).filter((key) => Object.hasOwn(other, key) && !own.has(key) && !changed.has(key))
  return Object.fromEntries(keys.map((key) => [key, pickCommon(value[key], other[key])]))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
