/**
 * The memory that clients can occupy by not reading and by registering: unsent bytes per account and in all, queues per
 * account, the size of a registration.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { limits } from '../../src/domain/limits/limits.js'
import type { Client } from '../../src/gateway/events/connected-client.js'
import { closeSlowClients } from '../../src/gateway/events/slow-clients.js'
import { startGateway } from '../setup/processes/processes.js'
import { basicAuthorization, readUntil, type WireEvent } from '../setup/realm/event-reader.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { call, gateways, newRealm, ok, type Person } from '../setup/realm/realm.js'

const MIB = 1024 * 1024

const register = (person: Person, params: Record<string, unknown> = {}) =>
  ok(person, 'POST', '/register', { event_types: ['message'], fetch_event_types: [], ...params })

/** Opens a WebSocket that never reads. `ended` resolves when the gateway has closed it. */
const openStalled = async (url: string, person: Person): Promise<{ ended: Promise<void> }> => {
  const path = '/api/v1/events?event_types=["message"]&fetch_event_types=[]'
  const headers = { Host: person.host, Authorization: basicAuthorization(person) }
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers })
  await new Promise((resolve, reject) => socket.once('message', resolve).once('error', reject))
  socket.pause()
  // A socket that does not read notices its end only when it writes.
  const ended = new Promise<void>((resolve) => {
    const timer = setInterval(() => socket.ping(undefined, undefined, (error) => error && end()), 200)
    const end = () => {
      clearInterval(timer)
      socket.terminate()
      resolve()
    }
    socket.on('close', end).on('error', end)
  })
  return { ended }
}

describe('Clients that do not read', () => {
  test('A gateway closes the slowest clients above its bound, and a client that reads receives every message.', {
    timeout: 120_000,
  }, async () => {
    await using realm = await newRealm()
    await using gateway = await startGateway({ MAX_UNSENT_MIB: '4' })
    const names = Array.from({ length: 6 }, (_, i) => ({ full_name: `Slow ${i}` }))
    const [owner, reader, ...slow] = (await realm.people(
      { full_name: 'Olga', role: 100 },
      { full_name: 'Rita' },
      ...names,
    )) as [Person, Person, ...Person[]]
    await createChannel(owner, 'team', [owner, reader, ...slow])
    const cursor = await register(reader)
    const stalled = await Promise.all(slow.map((person) => openStalled(gateway.url, person)))

    const hasClosedSlowClients = () => readFileSync(gateway.logFile, 'utf8').includes('slow clients were closed')
    let sent = 0
    while (!hasClosedSlowClients()) {
      await Promise.all(Array.from({ length: 20 }, () => postMessage(owner, 'team', 't', 'x'.repeat(9_900))))
      sent += 20
      // Slower than from the bound of all sockets to that of each one in a second, which is the time between two looks.
      await sleep(100)
    }
    await Promise.race(stalled.map(({ ended }) => ended))
    await postMessage(owner, 'team', 't', 'last')

    const isLast = (event: WireEvent) => (event.message as { content: string } | undefined)?.content === 'last'
    const events = await readUntil('websocket', gateway.url, reader, cursor, isLast)
    const long = events.filter((event) => (event.message as { content: string } | undefined)?.content.startsWith('x'))
    expect(long).toHaveLength(sent)
  })

  const client = (user_id: number, unsent: number, closed: string[]): Client => ({
    queue: {
      id: '',
      realm_id: 1,
      user_id,
      profile: {} as never,
      state_seq: 0,
      content_seq: 0,
      lifespan_secs: 600,
      position_name: null,
      claim: 0,
      usedAt: 0,
    },
    key_version: 1,
    lastId: 0,
    push() {},
    unsentBytes: () => unsent,
    close: (reason) => void closed.push(`${user_id}:${unsent / MIB}:${reason}`),
  })

  test('An account above its own bound loses its slowest connections, and other accounts lose none.', async () => {
    const closed: string[] = []
    const clients = [
      client(1, 3 * MIB, closed),
      client(1, 2 * MIB, closed),
      client(1, MIB, closed),
      client(2, 4 * MIB, closed),
    ]
    await closeSlowClients(clients, { bytesPerAccount: 4 * MIB, bytesInAll: 100 * MIB })
    expect(closed).toEqual(['1:3:slowConsumer'])
  })

  test('Above the bound of the process the clients with the most unsent bytes are closed.', async () => {
    const closed: string[] = []
    const clients = [client(1, MIB, closed), client(2, 3 * MIB, closed), client(3, 2 * MIB, closed)]
    await closeSlowClients(clients, { bytesPerAccount: 4 * MIB, bytesInAll: 3 * MIB })
    expect(closed).toEqual(['2:3:slowConsumer'])
  })
})

describe('Queues of one account', () => {
  test('A registration beyond the limit deletes the queue that was not used for the longest time, in every gateway.', async () => {
    await using realm = await newRealm()
    const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
    const first = await register(ada)
    const poll = (url: string) => call(ada, 'GET', '/events', { ...first, dont_block: true }, { url })
    // Before the others, because a gateway writes back at any moment when a queue was used.
    for (const url of gateways()) expect((await poll(url)).status).toBe(200)
    for (let n = 1; n < limits.max_queues_per_user; n++) await register(ada)

    const last = await register(ada)

    const { body } = await call(ada, 'GET', '/events', { ...last, dont_block: true })
    expect(body).toMatchObject({ result: 'success' })
    await expect
      .poll(async () => Promise.all(gateways().map(async (url) => (await poll(url)).body.code)))
      .toEqual(gateways().map(() => 'BAD_EVENT_QUEUE_ID'))
  })

  test('A registration with more than 10,000 characters of event types is refused.', async () => {
    await using realm = await newRealm()
    const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
    const event_types = Array.from({ length: 2_000 }, (_, i) => `type-${i}`)
    expect(await call(ada, 'POST', '/register', { event_types })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'The event types and the narrow of a queue are too long: name fewer.' },
    })
  })
})
