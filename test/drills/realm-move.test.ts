/**
 * Moving an organization between two cells under load: each has a Postgres database, a Redis and a gateway, and HAProxy
 * leads host names to them. No acknowledged message and no event is lost or doubled, and event queues continue.
 */
import { type ChildProcess, execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { Role } from '../../src/domain/log/rows.js'
import { indexRealm } from '../../src/store/messages/narrow/index-messages.js'
import { globalTables, loadRealmTables } from '../../src/store/realm/realm-move.js'
import { openSql, type Sql } from '../../src/store/sql.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { type OwnFleet, startOwnFleet } from '../setup/processes/own-fleet.js'
import { findHaproxy, startHaproxyOfCells } from '../setup/proxies/proxies.js'
import { transports } from '../setup/realm/event-reader.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { openLink } from './link.js'
import { compare, startReader, startSender, waitForReaders } from './readers.js'
import { isFull, reportFigures, seconds } from './report.js'

const size = isFull ? { readers: 240, senders: 8, messages: 100_000 } : { readers: 9, senders: 3, messages: 2_000 }

/** Starts two cells, and a pool of connections to the second one. */
const startCells = async () => {
  const env = { TRUSTED_PROXIES: '127.0.0.1', LONG_WORK_WAIT_MS: '1' }
  const [first, second] = await Promise.all([startOwnFleet(env), startOwnFleet(env)])
  const sql = openSql(second.database_url, 3)
  return {
    first,
    second,
    sql,
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 1 })
      await Promise.all([first[Symbol.asyncDispose](), second[Symbol.asyncDispose]()])
    },
  }
}

/** Starts the command line in a cell. @returns the process, and what it prints, as JSON */
const start = <T = object>(cell: OwnFleet, ...args: string[]): { child: ChildProcess; done: Promise<T> } => {
  const env = { ...inject('process_env'), DATABASE_URL: cell.database_url, REDIS_URL: cell.redis.url }
  const running = promisify(execFile)(process.execPath, [join(root, 'dist/cli.js'), ...args], { env })
  return { child: running.child, done: running.then(({ stdout }) => JSON.parse(stdout) as T) }
}

const run = <T = object>(cell: OwnFleet, ...args: string[]): Promise<T> => start<T>(cell, ...args).done

interface Moved {
  rows: number
  late_rows: number
  refused_ms: number
}

/** The arguments that name a cell as the target. */
const to = (cell: OwnFleet) => ['--to-database', cell.database_url, '--to-redis', cell.redis.url]

/**
 * Makes the next copy into a table wait.
 * @returns `reached`, which resolves when a copy waits, and `release`
 */
const holdTable = async (pool: Sql, table: string) => {
  const connection = await pool.reserve()
  await connection`begin`
  await connection`lock table ${connection(table)} in exclusive mode`
  return {
    reached: () =>
      expect
        .poll(
          () => connection`
          select from pg_locks l join pg_database d on d.oid = l.database
          where not granted and relation = ${table}::regclass and datname = current_database()`,
          {
            timeout: 60_000,
            interval: 20,
          },
        )
        .toHaveLength(1),
    async release() {
      await connection`commit`
      connection.release()
    },
  }
}

/** Kills a command. */
const kill = async ({ child, done }: { child: ChildProcess; done: Promise<unknown> }) => {
  child.kill('SIGKILL')
  await expect(done).rejects.toThrow()
}

/** The rows of the large tables up to a message and an entry of the log, as one hash per table. */
const hashRows = async (pool: Sql, realm_id: number, last: { message: number; seq: number }) => {
  const hashes: Record<string, unknown> = {}
  for (const [table, column] of [
    ['messages', 'id'],
    ['message_flags', 'message_id'],
    ['message_words', 'message_id'],
    ['reactions', 'message_id'],
    ['deleted_messages', 'id'],
    ['log', 'seq'],
  ] as const) {
    const limit = table === 'log' ? last.seq : last.message
    const [row] = await pool`
      select count(*)::int as count, md5(string_agg(md5(t::text), '' order by md5(t::text))) as hash from ${pool(table)} t
      where realm_id = ${realm_id} and ${pool(column)} <= ${limit}`
    hashes[table] = row
  }
  return hashes
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
  await using cells = await startCells()
  const { first, second, sql } = cells
  await using proxy = await startHaproxyOfCells(haproxy, [portOf(first.gateway.url), portOf(second.gateway.url)])
  const url = () => `http://127.0.0.1:${proxy.port}`
  const at = { url: url() }

  // Both cells began with the same id.
  const [name = ''] = first.realm.host.split('.')
  await expect(run(first, 'move-realm', name, ...to(second))).rejects.toThrow('each cell needs its own range of ids')

  // The range of the second cell, as docs/operations.md has it.
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
  // A history, older than what the test sends, with the words of each message.
  const [FIRST, LAST] = [100, 99 + size.messages]
  await realm.sql`
    insert into messages (realm_id, id, sender_id, channel_id, topic, content, rendered_content, timestamp, client,
      is_me_message, sender_read, has_link, has_image, has_attachment)
    select ${realm.realm_id}, i, ${ada.user_id}, 1, 'old', 'content ' || i, '<p>content ' || i || '</p>', extract(epoch from now())::bigint,
      'drill', false, true, false, false, false
    from generate_series(${FIRST}::int, ${LAST}::int) i`
  await realm.sql`update log_heads set last_message_id = ${LAST} where realm_id = ${realm.realm_id}`
  await indexRealm(realm.sql, realm.realm_id)
  const react = (method: 'POST' | 'DELETE', id: number) =>
    ok(ada, method, `/messages/${id}/reactions`, { emoji_name: 'tada' }, at)
  const flag = (op: 'add' | 'remove', id: number) =>
    ok(grace, 'POST', '/messages/flags', { op, flag: 'starred', messages: [id] }, at)
  await react('POST', FIRST)
  await flag('add', FIRST)

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

  /**
   * Moves the organization. `change` runs when the target has the copies of all large tables but the last one.
   * @returns milliseconds between the last send in the old cell and the first in the new one
   */
  const move = async (
    [from, target]: [OwnFleet, OwnFleet],
    pools: [Sql, Sql],
    cell: 'gateways' | 'cell2',
    change: () => Promise<void>,
  ) => {
    const held = await holdTable(pools[1], 'reactions')
    const command = start<Moved>(from, 'move-realm', string_id, ...to(target))
    command.done.catch(() => {})
    await held.reached()
    await change()
    await held.release()
    const moved = await command.done
    await proxy.lead(realm.host, cell)
    const at = performance.now()
    await waitForSends(at)
    const times = senders.flatMap(({ times }) => times)
    const pause = Math.min(...times.filter((time) => time > at)) - Math.max(...times.filter((time) => time <= at))
    const [head] = await pools[0]<{ message: number; seq: number }[]>`
      select last_message_id as message, log_seq as seq from log_heads where realm_id = ${realm.realm_id}`
    const last = head ?? { message: 0, seq: 0 }
    const [left, copied] = await Promise.all(pools.map((pool) => hashRows(pool, realm.realm_id, last)))
    expect(copied).toEqual(left)
    return { ...moved, pause }
  }
  // The command that follows one that was killed during its copy begins anew.
  const gate = await holdTable(sql, 'reactions')
  const killed = start(first, 'move-realm', string_id, ...to(second))
  killed.done.catch(() => {})
  await gate.reached()
  await kill(killed)
  await gate.release()
  const there = await move([first, second], [realm.sql, sql], 'cell2', async () => {
    await ok(ada, 'PATCH', `/messages/${FIRST + 1}`, { content: 'edited during the copy' }, at)
    await ok(ada, 'PATCH', `/messages/${FIRST + 2}`, { topic: 'moved during the copy' }, at)
    await ok(ada, 'DELETE', `/messages/${FIRST + 3}`, {}, at)
    await react('DELETE', FIRST)
    await react('POST', FIRST + 4)
    await flag('remove', FIRST)
    await flag('add', FIRST + 5)
  })
  const asked = { anchor: FIRST, num_before: 0, num_after: 5, apply_markdown: false }
  const { messages } = await ok(grace, 'GET', '/messages', asked, at)
  expect(
    messages.map(({ id, content, subject, reactions, flags }) => [
      id - FIRST,
      content,
      subject,
      reactions.length,
      flags?.includes('starred'),
    ]),
  ).toEqual([
    [0, `content ${FIRST}`, 'old', 0, false],
    [1, 'edited during the copy', 'old', 0, false],
    [2, `content ${FIRST + 2}`, 'moved during the copy', 0, false],
    [4, `content ${FIRST + 4}`, 'old', 1, false],
    [5, `content ${FIRST + 5}`, 'old', 0, true],
    [6, `content ${FIRST + 6}`, 'old', 0, false],
  ])
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
  const back = await move([second, first], [sql, realm.sql], 'gateways', () =>
    ok(ada, 'DELETE', `/messages/${FIRST + 6}`, {}, at).then(() => {}),
  )

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
    'of them during the pause': `${there.late_rows}, ${back.late_rows}`,
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
  expect(failures.filter((reason) => !/REALM_MOVING|SERVER_BUSY|4004 too early|response: 503/.test(reason))).toEqual([])
})

test('A move that fails leaves the organization in its cell, and one that was killed continues with its jobs.', {
  timeout: 120_000,
}, async () => {
  await using cells = await startCells()
  const { first, second, sql } = cells
  await sql`alter table realms alter column id restart with 1000001`
  await using realm = await first.newRealm()
  const [string_id = ''] = realm.host.split('.')
  const [ada] = (await realm.people({ full_name: 'Ada', role: Role.owner })) as [Person]
  const [here, there] = [{ url: first.gateway.url }, { url: second.gateway.url }]
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] }, here)
  const send = (topic: string) =>
    ok(ada, 'POST', '/messages', { type: 'stream', to: 'general', topic, content: 'hello' }, here)
  const { id } = await send('kept')
  await send('deleted')
  const [channel] = await realm.sql<{ id: number }[]>`
    select id from channels where realm_id = ${realm.realm_id} and name = 'general'`
  const later = Math.floor(Date.now() / 1000) + 2
  const target = `/streams/${channel?.id}/delete_topic`
  // No worker runs yet.
  expect(await ok(ada, 'POST', target, { topic_name: 'deleted' }, here)).toMatchObject({ complete: false })
  const scheduled = {
    type: 'stream',
    to: channel?.id,
    topic: 'scheduled',
    content: 'later',
    scheduled_delivery_timestamp: later,
  }
  await ok(ada, 'POST', '/scheduled_messages', scheduled, here)
  await ok(ada, 'POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: later }, here)
  await ok(ada, 'POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: later + 7_200 }, here)
  const { reminders } = await ok(ada, 'GET', '/reminders', {}, here)
  const readFirst = () => call(ada, 'GET', '/users/me', {}, here).then(({ status }) => status)

  // The target does not answer at all, and then not any more while calls are refused.
  const database = new URL(second.database_url)
  const link = await openLink(Number(database.port))
  database.port = String(link.port)
  const overLink = ['--to-database', database.href, '--to-redis', second.redis.url]
  const users = await holdTable(sql, 'users')
  const lost = start(first, 'move-realm', string_id, ...overLink)
  lost.done.catch(() => {})
  await users.reached()
  expect(await readFirst()).toBe(503)
  await link[Symbol.asyncDispose]()
  await expect(lost.done).rejects.toThrow()
  await send('kept')
  await users.release()
  await expect(run(first, 'move-realm', string_id, ...overLink)).rejects.toThrow('ECONNREFUSED')
  await send('kept')

  // Killed while it copies the large tables.
  const reactions = await holdTable(sql, 'reactions')
  const copying = start(first, 'move-realm', string_id, ...to(second))
  copying.done.catch(() => {})
  await reactions.reached()
  await kill(copying)
  await reactions.release()
  await send('kept')

  // Killed while calls are refused.
  const held = await holdTable(sql, 'users')
  const refusing = start(first, 'move-realm', string_id, ...to(second))
  refusing.done.catch(() => {})
  await held.reached()
  await kill(refusing)
  await held.release()
  expect(await readFirst()).toBe(503)
  await expect(run(first, 'delete-moved-realm', string_id)).rejects.toThrow('was not moved to another cell')

  // Killed when the copy is committed, and not yet open.
  await sql.unsafe(`
    create function wait_for_test() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(99); return new; end $$;
    create trigger wait_for_test before update on realms for each row execute function wait_for_test()`)
  const gate = await sql.reserve()
  await gate`select pg_advisory_lock(99)`
  const opening = start(first, 'move-realm', string_id, ...to(second))
  opening.done.catch(() => {})
  await expect
    .poll(() => gate`select from pg_locks where not granted and locktype = 'advisory' and objid = 99`, {
      timeout: 30_000,
      interval: 20,
    })
    .toHaveLength(1)
  await kill(opening)
  await gate`select pg_advisory_unlock(99)`
  gate.release()
  await sql`drop trigger wait_for_test on realms`
  const [refused, closed] = await Promise.all([here, there].map((at) => call(ada, 'GET', '/users/me', {}, at)))
  expect([refused?.status, closed?.status]).toEqual([503, 503])

  const moved = await run<Moved>(first, 'move-realm', string_id, ...to(second))
  expect(moved.rows).toBe(0)
  expect(await readFirst()).toBe(503)
  expect((await ok(ada, 'GET', '/reminders', {}, there)).reminders).toEqual(reminders)
  await expect(run(second, 'delete-moved-realm', string_id)).rejects.toThrow('was not moved to another cell')

  // Workers run in both cells now.
  const jobs = (pool: Sql) => pool<{ kind: string; attempts: number; isDone: boolean }[]>`
    select kind, attempts, done_at is not null as "isDone" from jobs
    where realm_id = ${realm.realm_id} and kind in ('reminder', 'scheduled_message', 'delete_topic')
      and run_after < now() + interval '30 minutes'`
  await using _first = await first.worker()
  await using _second = await second.worker()
  await waitForJobs({ ...realm, sql }, 30_000)
  await expect
    .poll(async () => (await jobs(realm.sql)).every(({ attempts }) => attempts > 0), { timeout: 30_000 })
    .toBe(true)
  expect((await jobs(realm.sql)).map(({ isDone }) => isDone)).toEqual([false, false, false])
  const topics = (pool: Sql) => pool<{ topic: string; count: number }[]>`
    select topic, count(*)::int as count from messages where realm_id = ${realm.realm_id} and topic <> 'channel events'
    group by topic order by topic`
  // The reminder is a direct message.
  expect(await topics(sql)).toEqual([
    { topic: '', count: 1 },
    { topic: 'kept', count: 4 },
    { topic: 'scheduled', count: 1 },
  ])
  expect(await topics(realm.sql)).toEqual([
    { topic: 'deleted', count: 1 },
    { topic: 'kept', count: 4 },
  ])
  const left = (await ok(ada, 'GET', '/reminders', {}, there)).reminders
  expect(left).toEqual(reminders.slice(1))
  await ok(ada, 'DELETE', `/reminders/${left[0]?.reminder_id}`, {}, there)
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
