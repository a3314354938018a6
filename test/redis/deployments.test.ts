/**
 * Deployments that share a Redis, a folder of files, or the rows of a database, because one is a restored copy of the
 * other: none receives or changes anything of another one.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { waitForIdentity } from '../../src/store/deployment/identity.js'
import { joinDeployment } from '../../src/store/deployment/membership.js'
import { composeLive } from '../../src/store/deployment/redis-claim.js'
import { openDiskStorage } from '../../src/store/files/disk-storage.js'
import { channelOf } from '../../src/store/log/bus.js'
import { openSql } from '../../src/store/sql.js'
import { newDatabase } from '../setup/processes/new-database.js'
import { type OwnFleet, startOwnFleet } from '../setup/processes/own-fleet.js'
import { type KillableService, startGateway, startRedis, startWorker } from '../setup/processes/processes.js'
import { readEvents } from '../setup/realm/event-reader.js'
import { ok, type Person } from '../setup/realm/realm.js'
import { readScopeOf } from '../setup/realm/scope.js'

let count = 0
const newFolder = () => {
  const folder = join(inject('log_folder'), `deployment-${process.pid}-${++count}`)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** The Redis of several deployments. */
let redis: KillableService
const numbered = (number: number) => ({ ...redis, url: `${redis.url}/${number}`, async kill() {} })

beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.kill())

const inside = async <T>(database_url: string, work: (sql: ReturnType<typeof openSql>) => Promise<T>): Promise<T> => {
  const sql = openSql(database_url, 2)
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Creates a database with the rows of another one, which has no connections meanwhile. */
const copyDatabase = async (original_url: string): Promise<string> => {
  const url = new URL(original_url)
  const original = url.pathname.slice(1)
  const name = `copy_${process.pid}_${++count}`
  await inside(inject('database_url'), async (sql) => {
    await sql`alter database ${sql(original)} allow_connections false`
    // Again and again: a connection that was being opened when they were refused is not listed yet.
    while ((await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${original}`).count > 0)
      await sleep(10)
    await sql`create database ${sql(name)} template ${sql(original)}`
    return sql`alter database ${sql(original)} allow_connections true`
  })
  url.pathname = `/${name}`
  return url.href
}

const readWarnings = async ({ operations_url }: { operations_url: string }): Promise<string> =>
  ((await (await fetch(`${operations_url}/health/ready`)).json()) as { warnings: string[] }).warnings.join('\n')

const runCommand = async (env: Record<string, string>, ...args: string[]): Promise<Record<string, unknown>> => {
  const options = { env: { ...inject('process_env'), ...env } }
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist/cli.js'), ...args], options)
  return JSON.parse(stdout)
}

describe('Two deployments on one Redis', () => {
  let first: OwnFleet
  const folder = newFolder()
  beforeAll(async () => {
    first = await startOwnFleet({ UPLOADS_DIR: folder }, undefined, numbered(4))
  }, 60_000)
  afterAll(() => first[Symbol.asyncDispose]())

  test('With different numbers, neither receives messages, typing or roles of the other.', {
    timeout: 60_000,
  }, async () => {
    await using second = await startOwnFleet({ UPLOADS_DIR: newFolder() }, undefined, numbered(5))
    expect(second.realm.realm_id).toBe(first.realm.realm_id)
    const [ada, grace] = (await first.realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
    const [bob, eve] = (await second.realm.people({ full_name: 'Bob' }, { full_name: 'Eve' })) as [Person, Person]
    expect([bob.user_id, eve.user_id]).toEqual([ada.user_id, grace.user_id])
    const at = { url: first.gateway.url }
    const atSecond = { url: second.gateway.url }
    // A second gateway of the second deployment has nothing but the bus.
    await using other = await second.newGateway({ ANTI_ENTROPY_MS: '3600000' })
    const cursor = await ok(bob, 'POST', '/register', { event_types: ['message', 'typing'] }, { url: other.url })

    await ok(ada, 'POST', '/typing', { op: 'start', type: 'direct', to: [grace.user_id] }, at)
    await ok(grace, 'POST', '/messages', { type: 'direct', to: [ada.user_id], content: 'secret of the first' }, at)
    await ok(eve, 'POST', '/messages', { type: 'direct', to: [bob.user_id], content: 'of the second' }, atSecond)
    const events = await readEvents('poll', other.url, bob, cursor)
    expect(events).toMatchObject([{ type: 'message', message: { content: 'of the second' } }])

    // A publication under the name of a former release, or of another deployment, is not believed.
    const client = new Redis(`${redis.url}/5`)
    const scope = await readScopeOf(second.realm.sql)
    const forged = { entries: [], realm_id: second.realm.realm_id, queue_deleted: cursor.queue_id, from: 'x' }
    await client.publish(`parley:realm:${second.realm.realm_id}`, JSON.stringify(forged))
    await client.publish(channelOf(scope, second.realm.realm_id), JSON.stringify({ of: 'parley:other', ...forged }))
    await client.publish(channelOf(scope, second.realm.realm_id), JSON.stringify(forged))
    const next = { ...cursor, last_event_id: events.at(-1)?.id ?? 0 }
    await ok(eve, 'POST', '/messages', { type: 'direct', to: [bob.user_id], content: 'again' }, atSecond)
    expect(await readEvents('poll', other.url, bob, next)).toMatchObject([{ message: { content: 'again' } }])

    const keys = (await Promise.all([4, 5].map((number) => readKeys(number)))).flat()
    const scopes = [await readScopeOf(first.realm.sql), scope]
    expect(keys.filter((key) => !scopes.some((name) => key.replace('{', '').startsWith(name)))).toEqual([])
    client.disconnect()
  })

  test('A process or command with the number of another deployment names it and what to do, and does not start.', {
    timeout: 60_000,
  }, async () => {
    const DATABASE_URL = await newDatabase(first.database_url)
    const env = { DATABASE_URL, REDIS_URL: numbered(4).url, UPLOADS_DIR: newFolder() }
    const refusal =
      /REDIS_URL: this Redis \(database 4\) belongs to another deployment \(\w{32}; that of DATABASE_URL is \w{32}\).*redis-cli -n 4 del parley:deployment/s
    await expect(startGateway(env)).rejects.toThrow(refusal)
    await expect(startWorker(env)).rejects.toThrow(refusal)
    const names = ['create-realm', 'x', '--name', 'X', '--owner-email', 'a@b.test', '--owner-name', 'A']
    await expect(runCommand(env, ...names)).rejects.toThrow(refusal)
    await expect(runCommand(env, 'adopt')).rejects.toThrow(refusal)
  })

  test('A process with the files of another deployment names them and what to do, and does not start.', {
    timeout: 60_000,
  }, async () => {
    const DATABASE_URL = await newDatabase(first.database_url)
    const SECRET_KEY = 'a4c1f0d97be24c6bb5f86ad2307c19e8f5d06b1c9ae74'
    const env = { DATABASE_URL, SECRET_KEY, REDIS_URL: numbered(6).url, UPLOADS_DIR: folder }
    const refusal = /UPLOADS_DIR \(.*\): this folder belongs to another deployment .*delete deployment.json/s
    await expect(startGateway(env)).rejects.toThrow(refusal)
    await expect(startWorker(env)).rejects.toThrow(refusal)
  })

  test('A new database with the same secret and files is a cell of the deployment, and needs a Redis of its own.', {
    timeout: 60_000,
  }, async () => {
    const DATABASE_URL = await newDatabase(first.database_url)
    const env = { DATABASE_URL, UPLOADS_DIR: folder }
    await expect(startGateway({ ...env, REDIS_URL: numbered(4).url })).rejects.toThrow(
      /REDIS_URL: this Redis \(database 4\) belongs to another cell of this deployment/,
    )
    await using gateway = await startGateway({ ...env, REDIS_URL: numbered(7).url })
    const readId = (url: string) => inside(url, async (sql) => (await sql`select id from deployment`)[0]?.id)
    expect(await readId(DATABASE_URL)).toBe(await readId(first.database_url))
    expect(await readWarnings(gateway)).not.toMatch(/copy|adopt|REDIS_URL/)
  })
})

const readKeys = async (number: number): Promise<string[]> => {
  const client = new Redis(`${redis.url}/${number}`)
  try {
    return (await client.keys('*')).filter((key) => !key.startsWith('parley:deployment'))
  } finally {
    client.disconnect()
  }
}

test('A restored copy of the database sends nothing until it is adopted, and then its original does not.', {
  timeout: 120_000,
}, async () => {
  const [UPLOADS_DIR, MAIL_OUTBOX] = [newFolder(), newFolder()]
  const original = await startOwnFleet({ UPLOADS_DIR }, undefined, numbered(8))
  const [ada, grace] = (await original.realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  const at = { url: original.gateway.url }
  // No worker runs yet, so the copy has this job too.
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }] }, at)
  await ok(
    ada,
    'POST',
    '/users/me/subscriptions',
    { subscriptions: [{ name: 'design' }], principals: [grace.user_id] },
    at,
  )
  const DATABASE_URL = await copyDatabase(original.database_url)
  const env = { DATABASE_URL, UPLOADS_DIR, MAIL_OUTBOX, REDIS_URL: numbered(8).url }
  const sql = openSql(DATABASE_URL, 1)
  onTestFinished(() => sql.end({ timeout: 1 }))
  const countOpen = async () => (await sql`select from jobs where done_at is null`).count
  await sql`update jobs set run_after = now() - interval '1 minute' where done_at is null`
  const open = await countOpen()
  expect(open).toBeGreaterThan(0)

  const gateway = await startGateway(env)
  const worker = await startWorker(env)
  for (const one of [gateway, worker])
    expect(await readWarnings(one)).toMatch(/restored copy.*sends nothing.*cli.js adopt/s)
  const cursor = await ok(grace, 'POST', '/register', { event_types: ['message'] }, at)
  const inCopy = { url: gateway.url }
  await ok(ada, 'POST', '/messages', { type: 'direct', to: [grace.user_id], content: 'in the copy' }, inCopy)
  await ok(ada, 'POST', '/messages', { type: 'direct', to: [grace.user_id], content: 'in the original' }, at)
  expect(await readEvents('poll', original.gateway.url, grace, cursor)).toMatchObject([
    { message: { content: 'in the original' } },
  ])
  const form = new FormData()
  form.set('file', new Blob(['hello']), 'a.txt')
  const before = readdirSync(UPLOADS_DIR).sort()
  const key = Buffer.from(`${ada.email}:${ada.api_key}`).toString('base64')
  const headers = { authorization: `Basic ${key}`, host: ada.host }
  const uploaded = await fetch(`${gateway.url}/api/v1/user_uploads`, { method: 'POST', body: form, headers })
  expect([uploaded.status >= 400, readdirSync(UPLOADS_DIR).sort()]).toEqual([true, before])
  // Longer than the sweeper of a worker waits.
  await sleep(5_000)
  expect([await countOpen(), readdirSync(MAIL_OUTBOX)]).toEqual([open, []])

  await expect(runCommand(env, 'adopt')).rejects.toThrow(/processes whose database is another one use this Redis/)
  await expect(runCommand(env, 'adopt', '--as-new')).rejects.toThrow(/belongs to the deployment/)
  await original[Symbol.asyncDispose]()
  const client = new Redis(numbered(8).url)
  await client.del('parley:deployment:live')
  client.disconnect()
  expect(await runCommand(env, 'adopt')).toMatchObject({ was_copy: true })
  await expect.poll(() => readWarnings(worker), { timeout: 20_000 }).toMatch(/was adopted after this process started/)
  await Promise.all([gateway.stop(), worker.stop()])

  await using adopted = await startWorker(env)
  await expect.poll(countOpen, { timeout: 20_000 }).toBe(0)
  expect(await readWarnings(adopted)).not.toMatch(/copy|adopt/)
  // The original, started again by mistake.
  await using former = await startWorker({ ...env, DATABASE_URL: original.database_url })
  expect(await readWarnings(former)).toMatch(/another database was adopted in its place.*sends nothing/s)
})

test('A copy becomes a deployment of its own with a Redis and files of its own.', { timeout: 60_000 }, async () => {
  await using original = await startOwnFleet({ UPLOADS_DIR: newFolder() }, undefined, numbered(9))
  const DATABASE_URL = await copyDatabase(original.database_url)
  const env = { DATABASE_URL, UPLOADS_DIR: newFolder(), REDIS_URL: numbered(10).url }
  const { deployment } = await runCommand(env, 'adopt', '--as-new')
  await using worker = await startWorker(env)
  expect(await readWarnings(worker)).not.toMatch(/copy|adopt/)
  await inside(original.database_url, async (sql) => {
    const [row] = await sql`select id from deployment`
    expect(deployment).toMatch(/^\w{32}$/)
    expect(row?.id).not.toBe(deployment)
  })
})

test('Another server with the same database, a copy of its folder, is a copy while the original runs, and then until it is adopted.', {
  timeout: 60_000,
}, async () => {
  const DATABASE_URL = await newDatabase(inject('database_url'))
  const sql = openSql(DATABASE_URL, 2)
  onTestFinished(() => sql.end({ timeout: 1 }))
  const config = {
    REDIS_URL: numbered(11).url,
    SECRET_KEY: ['x'.repeat(40)],
    UPLOADS_DIR: newFolder(),
    S3_BUCKET: undefined,
  }
  const files = openDiskStorage(config.UPLOADS_DIR)
  const client = new Redis(config.REDIS_URL)
  onTestFinished(() => client.disconnect())
  const join = async () => {
    const membership = await joinDeployment(config, sql, files, (problem) => expect(problem).toBe(''), 1_500)
    onTestFinished(() => membership.close())
    const isCopy = await new Promise<boolean>((resolve) => membership.onKnown(resolve))
    return { membership, isCopy }
  }
  const first = await join()
  expect(first.isCopy).toBe(false)
  const identity = await waitForIdentity(sql, AbortSignal.timeout(15_000))
  // A process that ended within the last seconds, after which Postgres was restarted: nobody renews its key.
  const original = composeLive({ ...identity, run: '1' })
  await client.set('parley:deployment:live', original, 'PX', 1_000)
  const second = await join()
  expect(second.isCopy).toBe(false)
  // They would tell every few seconds that they run.
  for (const { membership } of [first, second]) membership.close()
  const scope = await readScopeOf(sql)
  // The processes of the original renew it.
  const renewing = setInterval(() => client.set('parley:deployment:live', original), 100)
  await expect.poll(() => client.get('parley:deployment:live')).toBe(original)
  const copy = await join()
  expect(copy.isCopy).toBe(true)
  expect(copy.membership.findWarning()).toMatch(/a copy of another server, whose processes use the same Redis/)
  expect(copy.membership.scope.name).not.toBe(scope)
  clearInterval(renewing)
  await client.del('parley:deployment:live')
  expect((await join()).isCopy).toBe(true)
})
