/**
 * Moving an organization between two cells under load: each has a Postgres database, a Redis and a gateway, and HAProxy
 * leads host names to them. No acknowledged message and no event is lost or doubled, and event queues continue.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { globalTables, loadRealmTables } from '../../src/store/realm/realm-move.js'
import { openSql, type Sql } from '../../src/store/sql.js'
import { transports } from '../setup/event-reader.js'
import { portOf } from '../setup/gateway-of-one-test.js'
import { type OwnFleet, startOwnFleet } from '../setup/own-fleet.js'
import { findHaproxy, startHaproxyOfCells } from '../setup/proxies.js'
import { call, ok, type Person } from '../setup/realm.js'
import { compare, startReader, startSender, waitForReaders } from './readers.js'
import { isFull, reportFigures, seconds } from './report.js'

const size = isFull ? { readers: 240, senders: 8, messages: 100_000 } : { readers: 9, senders: 3, messages: 2_000 }

/** Runs the command line in a cell. @returns what it prints, as JSON */
const run = async <T = object>(cell: OwnFleet, ...args: string[]): Promise<T> => {
  const env = { ...inject('process_env'), DATABASE_URL: cell.database_url, REDIS_URL: cell.redis.url }
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist/cli.js'), ...args], { env })
  return JSON.parse(stdout) as T
}

/** Rows of the organization, by table. */
const countRows = async (sql: Sql, realm_id: number): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { name } of await loadRealmTables(sql)) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from ${sql(name)} where ${sql(name === 'realms' ? 'id' : 'realm_id')} = ${realm_id}`
    if (row !== undefined && row.count > 0) counts[name] = row.count
  }
  return counts
}

test('An organization moves to another cell and back under load; no message and no event is lost or doubled.', {
  timeout: isFull ? 600_000 : 120_000,
}, async ({ skip }) => {
  const haproxy = findHaproxy() ?? skip('this machine has no HAProxy and cannot unpack one')
  await using first = await startOwnFleet({ TRUSTED_PROXIES: '127.0.0.1' })
  await using second = await startOwnFleet({ TRUSTED_PROXIES: '127.0.0.1' })
  await using proxy = await startHaproxyOfCells(haproxy, [portOf(first.gateway.url), portOf(second.gateway.url)])
  const to = (cell: OwnFleet) => ['--to-database', cell.database_url, '--to-redis', cell.redis.url]
  const url = () => `http://127.0.0.1:${proxy.port}`
  const at = { url: url() }

  // Both cells began with the same id.
  const [name = ''] = first.realm.host.split('.')
  await expect(run(first, 'move-realm', name, ...to(second))).rejects.toThrow('each cell needs its own range of ids')

  // The range of the second cell, as docs/operations.md has it.
  const sql = openSql(second.database_url, 1)
  onTestFinished(() => sql.end({ timeout: 1 }))
  await sql`alter table realms alter column id restart with 1000001`
  await using ranged = await second.newRealm()
  expect(ranged.realm_id).toBe(1_000_001)

  await using realm = await first.newRealm()
  const [string_id = ''] = realm.host.split('.')
  const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  const [linus] = (await second.realm.people({ full_name: 'Linus' })) as [Person]
  const principals = [ada.user_id, grace.user_id]
  await expect.poll(() => ok(ada, 'GET', '/users/me', {}, at), { timeout: 10_000 }).toBeTruthy()
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }], principals }, at)
  const draft = { type: 'private', to: [ada.user_id], topic: '', content: 'a draft' }
  await ok(ada, 'POST', '/drafts', { drafts: [draft, draft] }, at)
  await ok(ada, 'POST', '/messages', { type: 'direct', to: [grace.user_id], content: 'hello' }, at)
  await ok(
    linus,
    'POST',
    '/messages',
    { type: 'direct', to: [linus.user_id], content: 'hello' },
    {
      url: second.gateway.url,
    },
  )
  // A history, older than what the test sends.
  await realm.sql`
    insert into messages (realm_id, id, sender_id, channel_id, topic, content, rendered_content, timestamp, client,
      is_me_message, sender_read, has_link, has_image, has_attachment)
    select ${realm.realm_id}, -i, ${ada.user_id}, 1, 'old', 'content', '<p>content</p>', i, 'drill',
      false, true, false, false, false
    from generate_series(1, ${size.messages}::int) i`

  const readers = await Promise.all(
    Array.from({ length: size.readers }, async (_, i) => {
      const options = { event_types: ['message'], fetch_event_types: [] }
      const cursor = await ok(grace, 'POST', '/register', options, at)
      return startReader(transports[i % transports.length] ?? 'poll', url, grace, cursor)
    }),
  )
  const fields = { type: 'stream', to: 'general', topic: 't' }
  const senders = Array.from({ length: size.senders }, () => startSender(url, ada, fields, 20))
  const acknowledged = () => senders.flatMap((sender) => sender.acknowledged)
  const waitForSends = (after: number) =>
    expect
      .poll(() => senders.every(({ times }) => (times.at(-1) ?? 0) > after), { timeout: 30_000, interval: 20 })
      .toBe(true)
  await waitForSends(performance.now())

  /** Moves the organization. @returns seconds between the last send in the old cell and the first in the new one */
  const move = async (from: OwnFleet, target: OwnFleet, cell: 'gateways' | 'cell2') => {
    const moved = await run<{ rows: number; refused_ms: number }>(from, 'move-realm', string_id, ...to(target))
    await proxy.lead(realm.host, cell)
    const at = performance.now()
    await waitForSends(at)
    const times = senders.flatMap(({ times }) => times)
    const pause = Math.min(...times.filter((time) => time > at)) - Math.max(...times.filter((time) => time <= at))
    return { ...moved, pause }
  }
  const there = await move(first, second, 'cell2')
  const left = await countRows(realm.sql, realm.realm_id)
  const copied = await countRows(sql, realm.realm_id)
  // Nothing was committed in the old cell meanwhile. Jobs that are done are not copied.
  for (const [table, count] of Object.entries(left)) {
    if (table !== 'jobs') expect(copied[table], table).toBeGreaterThanOrEqual(count)
  }
  // New rows continue the sequences of the new cell.
  await ok(ada, 'POST', '/messages', { type: 'direct', to: [ada.user_id], content: 'a new conversation' }, at)
  await ok(ada, 'POST', '/drafts', { drafts: [draft] }, at)
  const closed = await call(ada, 'GET', '/users/me', {}, { url: first.gateway.url })
  expect(closed).toMatchObject({ status: 503, body: { code: 'REALM_MOVING', 'retry-after': 1 } })

  await expect(run(second, 'delete-moved-realm', string_id)).rejects.toThrow('was not moved to another cell')
  await expect(run(second, 'move-realm', string_id, ...to(first))).rejects.toThrow('run delete-moved-realm there')
  await run(first, 'delete-moved-realm', string_id)
  expect(await countRows(realm.sql, realm.realm_id)).toEqual({})
  const back = await move(second, first, 'gateways')

  await Promise.all(senders.map((sender) => sender.stop()))
  const all = acknowledged()
  await waitForReaders(readers, all, 30_000)
  for (const reader of readers) reader.stop()
  const stored = await realm.sql<{ id: number }[]>`select id from messages where realm_id = ${realm.realm_id}`
  const ids = new Set(stored.map(({ id }) => id))
  const { lost, doubled, outOfOrder } = compare(readers, all)
  const failures = [
    ...senders.flatMap((sender) => sender.failures.map(({ reason }) => reason)),
    ...readers.flatMap((reader) => reader.failures),
  ]
  reportFigures('Moving an organization to another cell, and back', {
    connections: size.readers,
    'rows copied': there.rows,
    acknowledged: all.length,
    'refused calls': failures.length,
    'lost messages': all.filter((id) => !ids.has(id)).length,
    'lost events': lost,
    doubled,
    'out of order': outOfOrder,
    'calls refused by the command': `${seconds(there.refused_ms)}, ${seconds(back.refused_ms)}`,
    'longest pause of sends': `${seconds(there.pause)}, ${seconds(back.pause)}`,
  })
  expect(all.filter((id) => !ids.has(id))).toEqual([])
  expect({ lost, doubled, outOfOrder }).toEqual({ lost: 0, doubled: 0, outOfOrder: 0 })
  expect(failures.filter((reason) => !/REALM_MOVING|4004 too early|response: 503/.test(reason))).toEqual([])
})

test('Every table has rows of organizations with their id, or is known to belong to no organization.', async () => {
  const sql = openSql(inject('database_url'), 1)
  onTestFinished(() => sql.end())
  const tables = await loadRealmTables(sql)
  const names = tables.map(({ name }) => name)
  expect(names).not.toContain(globalTables[0])
  expect(names.indexOf('sessions')).toBeLessThan(names.indexOf('session_uses'))
  const without = tables.filter(({ name, columns }) => name !== 'realms' && !columns.includes('realm_id'))
  expect(without.map(({ name }) => name)).toEqual([])
  const withSequences = tables.filter(({ sequences }) => sequences.length > 0).map(({ name }) => name)
  expect(withSequences).toEqual(expect.arrayContaining(['dm_conversations', 'drafts', 'submessages', 'jobs']))
})
