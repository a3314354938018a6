/** What clients notice while Postgres is away, and after it crashed. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openQueueCollector } from '../../src/store/register/event-queues.js'
import { openSql } from '../../src/store/sql.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { startPostgres } from '../setup/processes/processes.js'
import { basicAuthorization, readUntil, transports, type WireEvent } from '../setup/realm/event-reader.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'

/** More attempts than the driver's own backoff makes in an hour. */
const CALLS_DURING_OUTAGE = 30

test('Connected clients stay connected while Postgres crashes, and receive what is sent afterwards.', {
  timeout: 120_000,
}, async () => {
  const postgres = await startPostgres()
  await using fleet = await startOwnFleet({}, postgres.url)
  const url = fleet.gateway.url
  const [ada, grace] = (await fleet.realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  const send = (content: string) =>
    call(ada, 'POST', '/messages', { type: 'direct', to: [grace.user_id], content }, { url })
  const isLast = (event: WireEvent) => (event.message as { content?: string } | undefined)?.content === 'last'
  const queues = await Promise.all(
    transports.map(() => ok(grace, 'POST', '/register', { event_types: ['message'], fetch_event_types: [] }, { url })),
  )
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/events?event_types=["message"]`, {
    headers: { Host: grace.host, Authorization: basicAuthorization(grace) },
  })
  const frames: string[] = []
  socket.on('message', (data) => frames.push(String(data)))
  await once(socket, 'open')
  await expect.poll(() => frames.length).toBe(1)

  await postgres.kill()
  for (let i = 0; i < CALLS_DURING_OUTAGE; i++) {
    expect(await send('during')).toMatchObject({
      status: 503,
      body: { code: 'DATABASE_UNAVAILABLE', 'retry-after': 1 },
    })
  }
  const refused = await sendRequest(portOf(url), {
    path: '/api/v1/users/me',
    host: grace.host,
    authorization: basicAuthorization(grace),
    headers: { Origin: 'https://app.example' },
  })
  expect(refused.headers).toMatchObject({ 'retry-after': '1', 'access-control-allow-origin': '*' })

  await postgres.start()
  await expect.poll(async () => (await send('last')).status, { timeout: 30_000 }).toBe(200)
  await expect.poll(() => frames.some((frame) => frame.includes('last')), { timeout: 10_000 }).toBe(true)
  expect(socket.readyState).toBe(WebSocket.OPEN)
  socket.terminate()

  // A gateway without memory of these queues serves them too.
  await using other = await fleet.newGateway()
  for (const [i, transport] of transports.entries()) {
    const cursor = queues[i] as { queue_id: string; last_event_id: number }
    expect((await readUntil(transport, other.url, grace, cursor, isLast)).at(-1), transport).toMatchObject({
      message: { content: 'last' },
    })
  }
})

test('While the disk of Postgres is full, writes are answered with 503, reads are answered, and the log says why.', {
  timeout: 60_000,
}, async () => {
  await using fleet = await startOwnFleet()
  const { url, logFile } = fleet.gateway
  const [ada] = (await fleet.realm.people({ full_name: 'Ada' })) as [Person]
  const send = () => call(ada, 'POST', '/messages', { type: 'direct', to: [ada.user_id], content: 'x' }, { url })
  const { sql } = fleet.realm
  // As the extension of a file of the log fails on a full disk.
  await sql`
    create function fail_disk_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`
  await sql`create trigger disk_full before insert on log for each statement execute function fail_disk_full()`
  expect(await send()).toMatchObject({ status: 503, body: { code: 'DATABASE_UNAVAILABLE' } })
  await ok(ada, 'GET', '/users/me', {}, { url })
  await expect.poll(() => readFileSync(logFile, 'utf8')).toContain('No space left on device')
  // Warnings are read again after ten seconds.
  const readHealth = async () => (await fetch(`${fleet.gateway.operations_url}/health/ready`)).text()
  await expect
    .poll(readHealth, { timeout: 15_000 })
    .toMatch(/DATABASE_URL: Postgres has no room: could not extend file/)
  await sql`drop trigger disk_full on log`
  expect((await send()).status).toBe(200)
})

test('After an outage, unused queues are deleted only when gateways had time to write back which are in use.', {
  timeout: 60_000,
}, async () => {
  const postgres = await startPostgres()
  await using fleet = await startOwnFleet({}, postgres.url)
  const { realm } = fleet
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  const { queue_id } = await ok(ada, 'POST', '/register', { event_types: [] }, { url: fleet.gateway.url })
  const sql = openSql(fleet.database_url, 1)
  await sql`update event_queues set expires_at = now() - interval '1 minute' where id = ${queue_id}`
  const collect = openQueueCollector(sql)
  const minutes = (count: number) => count * 60_000

  expect(await collect(minutes(0))).toBe(0)
  expect(await collect(minutes(1))).toBe(0)
  await postgres.kill()
  await expect(collect(minutes(10))).rejects.toThrow()
  await postgres.start()
  // If Postgres still said why it ends a connection on which a statement ran, the driver rejects that statement with
  // CONNECTION_CLOSED, and the first one of the next connection, which it does not send, with what Postgres said.
  await expect.poll(() => collect(minutes(11)).catch(() => undefined), { timeout: 10_000 }).toBe(0)
  const poll = { queue_id, last_event_id: -1, dont_block: true }
  // Postgres accepts connections, but the gateway may not have opened its own yet.
  const read = () => call(ada, 'GET', '/events', poll, { url: fleet.gateway.url })
  await expect.poll(async () => (await read()).status, { timeout: 10_000 }).toBe(200)
  expect(await collect(minutes(13))).toBe(1)
  await sql.end()
})
