/**
 * Event queues as a client uses them: cursors, transports, replaced polls, heartbeats, and access as it was when an
 * event happened.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { limits } from '../../src/domain/limits/limits.js'
import { plainProfile } from '../../src/domain/log/profile.js'
import { openQueueReaders } from '../../src/gateway/events/queue-readers.js'
import { type Broadcast, openBus } from '../../src/store/log/bus.js'
import { openQueueCollector, openQueues, type Queue } from '../../src/store/register/event-queues.js'
import { openSql } from '../../src/store/sql.js'
import { waitForGauge } from '../setup/processes/gateway-of-one-test.js'
import { startGateway } from '../setup/processes/processes.js'
import {
  basicAuthorization,
  Refused,
  readEvents,
  readUntil,
  transports,
  type WireEvent,
} from '../setup/realm/event-reader.js'
import { anyGateway, call, gateways, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { sharedScope } from '../setup/realm/scope.js'

const subscribe = (by: Person, name: string, people: Person[], options = {}) =>
  ok(by, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: people.map((person) => person.user_id),
    send_new_subscription_messages: false,
    ...options,
  })

const unsubscribe = (by: Person, name: string, people: Person[]) =>
  ok(by, 'DELETE', '/users/me/subscriptions', {
    subscriptions: [name],
    principals: people.map((person) => person.user_id),
  })

const sendToChannel = (by: Person, to: string, content: string) =>
  ok(by, 'POST', '/messages', { type: 'stream', to, topic: 't', content })

const register = (person: Person, params: Record<string, unknown> = {}) =>
  ok(person, 'POST', '/register', { event_types: ['message'], fetch_event_types: [], ...params })

const contents = (events: WireEvent[]) =>
  events.flatMap((event) => (event.type === 'message' ? [(event.message as { content: string }).content] : []))

/** The marker is sent last. Because the log is ordered, its arrival proves that every earlier event has arrived. */
const isMarker = (event: WireEvent) => contents([event]).includes('marker')

const twoPeople = async (realm: TestRealm) =>
  (await realm.people({ full_name: 'Ada', role: 200 }, { full_name: 'Grace' })) as [Person, Person]

describe('A client that was disconnected', () => {
  test('A client receives the messages sent while the user was subscribed, and no others, from any gateway.', async () => {
    await using realm = await newRealm()
    const [ada, grace] = await twoPeople(realm)
    await subscribe(ada, 'team', [ada, grace], { invite_only: true })
    const cursor = await register(grace)
    await sendToChannel(ada, 'team', 'one')
    await unsubscribe(ada, 'team', [grace])
    await sendToChannel(ada, 'team', 'two')
    await subscribe(ada, 'team', [grace])
    await sendToChannel(ada, 'team', 'three')
    await unsubscribe(ada, 'team', [grace])
    await sendToChannel(ada, 'team', 'four')

    await ok(ada, 'POST', '/messages', { type: 'direct', to: [grace.user_id], content: 'marker' })

    await using late = await startGateway()
    for (const url of [...gateways(), late.url]) {
      const received = contents(await readUntil('poll', url, grace, cursor, isMarker))
      expect(
        received.filter((content) => ['one', 'two', 'three', 'four'].includes(content)),
        url,
      ).toEqual(['one', 'three'])
    }
  })

  test('A client receives the same events over every transport.', async () => {
    await using realm = await newRealm()
    const [ada, grace] = await twoPeople(realm)
    await subscribe(ada, 'team', [ada, grace])
    const cursor = await register(grace)
    for (const word of ['one', 'two', '@**Grace** three']) await sendToChannel(ada, 'team', word)
    const isLast = (event: WireEvent) => contents([event]).includes('@**Grace** three')
    const received: WireEvent[][] = []
    for (const transport of transports) received.push(await readUntil(transport, anyGateway(), grace, cursor, isLast))
    const [poll, ...others] = received
    // The Notification Bot's message about the new channel may arrive in between.
    const ours = (events: WireEvent[] = []) => events.filter((event) => /one|two|three/.test(contents([event]).join()))
    expect(contents(ours(poll))).toEqual(['one', 'two', '@**Grace** three'])
    for (const events of others) expect(ours(events)).toEqual(ours(poll))
  })
})

describe.each(transports)('Event delivery over %s', (transport) => {
  test('A user who leaves a private channel stops receiving its messages.', async () => {
    await using realm = await newRealm()
    const [ada, grace] = await twoPeople(realm)
    await subscribe(ada, 'design', [ada, grace], { invite_only: true })
    const cursor = await register(grace)
    await unsubscribe(grace, 'design', [grace])
    await sendToChannel(ada, 'design', 'new draft')
    await ok(ada, 'POST', '/messages', { type: 'direct', to: [grace.user_id], content: 'marker' })
    const events = await readUntil(transport, anyGateway(), grace, cursor, isMarker)
    expect(contents(events)).not.toContain('new draft')
  })

  test('A waiting client receives an event when it happens.', async () => {
    await using realm = await newRealm()
    const [ada, grace] = await twoPeople(realm)
    const cursor = await register(grace)
    // A heartbeat may come first.
    const isHere = (event: WireEvent) => contents([event]).includes('here')
    const waiting = readUntil(transport, anyGateway(), grace, cursor, isHere)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await ok(ada, 'POST', '/messages', { type: 'direct', to: [grace.user_id], content: 'here' })
    expect(contents(await waiting)).toEqual(['here'])
  })

  test("A request for another user's queue is refused with BAD_EVENT_QUEUE_ID.", async () => {
    await using realm = await newRealm()
    const [ada, grace] = await twoPeople(realm)
    const cursor = await register(ada)
    const refused = readEvents(transport, anyGateway(), grace, cursor)
    await expect(refused).rejects.toThrow(Refused)
    await expect(refused).rejects.toThrow('BAD_EVENT_QUEUE_ID')
  })
})

describe('Cursors', () => {
  test('A cursor beyond the end of the log is refused.', async () => {
    await using realm = await newRealm()
    const [ada] = await twoPeople(realm)
    const { queue_id, last_event_id } = await register(ada)
    const asked = { queue_id, last_event_id: last_event_id + 1_000_000, dont_block: true }
    const { status, body } = await call(ada, 'GET', '/events', asked)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: `This queue has had no event ${asked.last_event_id}: continue from the last event that you received.`,
    })
  })

  test('An answer has every event up to the one that the client saw on another gateway.', async () => {
    await using realm = await newRealm()
    const [ada] = await twoPeople(realm)
    const [here, there] = gateways() as [string, string]
    const { queue_id, last_event_id } = await register(ada)
    let seen = last_event_id
    for (let i = 0; i < 30; i += 1) {
      await call(ada, 'POST', '/messages', { type: 'direct', to: [ada.user_id], content: `Note ${i}` })
      const [newest] = await readEvents('poll', here, ada, { queue_id, last_event_id: seen })
      const before = seen
      seen = newest?.id as number
      const params = { queue_id, last_event_id: before, dont_block: true, seen_event_id: seen }
      const { body } = await call(ada, 'GET', '/events', params, { url: there })
      expect((body.events as WireEvent[]).map(({ id }) => id)).toContain(seen)
    }
    const params = { queue_id, last_event_id, dont_block: true, seen_event_id: seen + 1024 * 1_000 }
    expect((await call(ada, 'GET', '/events', params)).status).toBe(400)
  })

  test('A cursor before the start of the queue is refused, and -1 means the start.', async () => {
    await using realm = await newRealm()
    const [ada] = await twoPeople(realm)
    const { queue_id } = await register(ada)
    expect((await call(ada, 'GET', '/events', { queue_id, last_event_id: 0, dont_block: true })).status).toBe(400)
    expect((await call(ada, 'GET', '/events', { queue_id, last_event_id: -1, dont_block: true })).status).toBe(200)
  })
})

describe('Event queues', () => {
  test('Deleting a queue ends its poll on another gateway, and every gateway then answers BAD_EVENT_QUEUE_ID.', async () => {
    await using realm = await newRealm()
    const [ada] = await twoPeople(realm)
    const cursor = await register(ada)
    await using there = await startGateway()
    const waiting = call(ada, 'GET', '/events', { ...cursor }, { url: there.url })
    await waitForGauge(there, 'parley_connections', { polls: 1 })
    await ok(ada, 'DELETE', '/events', { queue_id: cursor.queue_id })
    expect((await waiting).body).toMatchObject({ result: 'success', events: [] })
    for (const url of [...gateways(), there.url]) {
      const read = async () => (await call(ada, 'GET', '/events', { ...cursor, dont_block: true }, { url })).body
      // Each gateway hears of it over the bus.
      await expect.poll(read).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id: cursor.queue_id })
    }
  })

  test('A second poll on the same queue ends the first poll with no events.', async () => {
    await using realm = await newRealm()
    const [ada] = await twoPeople(realm)
    const cursor = await register(ada)
    const url = anyGateway()
    const first = call(ada, 'GET', '/events', { ...cursor }, { url })
    // The newer poll ends the older one: `first` is answered as soon as it waits and another poll arrives.
    let isWaiting = true
    const ended = first.finally(() => {
      isWaiting = false
    })
    while (isWaiting) await readEvents('poll', url, ada, cursor, 300)
    expect((await ended).body).toMatchObject({ result: 'success', events: [], queue_id: cursor.queue_id })
  })

  test('A second poll through another gateway ends the first one at once, also when the client comes back.', async () => {
    await using realm = await newRealm()
    const [ada, grace] = await twoPeople(realm)
    const cursor = await register(ada)
    const [here, there, ...others] = gateways() as [string, string, ...string[]]
    let first = call(ada, 'GET', '/events', { ...cursor }, { url: here })
    for (const url of [there, here, ...others]) {
      let isWaiting = true
      const ended = first.finally(() => {
        isWaiting = false
      })
      // The first poll may not wait yet, so the newer poll is repeated. Its own end is that of the connection.
      while (isWaiting) await readEvents('poll', url, ada, cursor, 500)
      expect((await ended).body).toMatchObject({ result: 'success', events: [], queue_id: cursor.queue_id })
      first = call(ada, 'GET', '/events', { ...cursor }, { url })
    }
    // The last poll is the only reader: it gets the event.
    const to = { type: 'direct', to: [ada.user_id], content: 'hello' }
    await ok(grace, 'POST', '/messages', to)
    expect(contents((await first).body.events as WireEvent[])).toEqual(['hello'])
  })

  test('A queue with a lifespan of one second is gone a minute after its last use.', async () => {
    await using realm = await newRealm()
    const bus = openBus(inject('redis_url'), await sharedScope(), () => {})
    const queues = openQueues(realm.sql, bus)
    const [ada] = await twoPeople(realm)
    const { queue_id } = await register(ada, { queue_lifespan_secs: 1 })
    const isFound = async () => (await queues.find(realm.realm_id, queue_id as string, ada.user_id)) !== undefined
    const pass = (seconds: number) => realm.sql`
      update event_queues set expires_at = expires_at - make_interval(secs => ${seconds})
      where realm_id = ${realm.realm_id} and id = ${queue_id as string}`
    expect(await isFound()).toBe(true)
    await queues.flush()
    // Not used since the last flush: it leaves the cache, and the row decides.
    await queues.flush()
    expect(await isFound()).toBe(true)
    await queues.flush()
    await queues.flush()
    await pass(26)
    const collect = openQueueCollector(realm.sql)
    await collect(0)
    await collect(600_000)
    expect(await isFound()).toBe(false)
    await queues.close()
    await bus.close()
  })

  test('A queue that was used since the collector started is collected when it expires, an older one later.', async () => {
    await using realm = await newRealm()
    const { realm_id } = realm
    const [ada] = await twoPeople(realm)
    const register = async () =>
      (await ok(ada, 'POST', '/register', { event_types: ['message'], queue_lifespan_secs: 1 })).queue_id
    const [used, old] = [await register(), await register()]
    // In a transaction, so that the worker of the fleet does not see that they have expired, and collects none.
    await realm.sql.begin(async (tx) => {
      const collect = openQueueCollector(tx)
      // Queues live for 25 seconds at least after their last use.
      const expireAfter = (queue_id: string, seconds: number) => tx`
        update event_queues set expires_at = now() + make_interval(secs => ${25 - seconds})
        where realm_id = ${realm_id} and id = ${queue_id}`
      const left = async () =>
        (await tx<{ id: string }[]>`select id from event_queues where realm_id = ${realm_id}`).map(({ id }) => id)
      await collect(0)
      await expireAfter(used, 30)
      await expireAfter(old, 50)
      await collect(40_000)
      expect(await left()).toEqual([old])
      await collect(120_000)
      expect(await left()).toEqual([])
    })
  })

  test('A queue to which a client is connected does not expire.', async () => {
    await using realm = await newRealm()
    const bus = openBus(inject('redis_url'), await sharedScope(), () => {})
    const queues = openQueues(realm.sql, bus)
    const [ada] = await twoPeople(realm)
    const { queue_id } = await register(ada, { queue_lifespan_secs: 1 })
    const queue = await queues.find(realm.realm_id, queue_id as string, ada.user_id)
    queues.onFlush(() => (queue === undefined ? [] : [queue]))
    const remaining = async () => {
      const [row] = await realm.sql<{ seconds: number }[]>`
        select extract(epoch from expires_at - now())::float as seconds from event_queues
        where realm_id = ${realm.realm_id} and id = ${queue_id as string}`
      return row?.seconds
    }
    for (let i = 0; i < 3; i++) {
      await realm.sql`
        update event_queues set expires_at = expires_at - make_interval(secs => 10)
        where realm_id = ${realm.realm_id} and id = ${queue_id as string}`
      await queues.flush()
      expect(await remaining()).toBeGreaterThan(20)
    }
    await queues.close()
    await bus.close()
  })
})

test('Registrations of one account that has the most queues do not deadlock with each other.', async () => {
  await using realm = await newRealm()
  const [ada] = await twoPeople(realm)
  const sql = openSql(inject('database_url'), 40)
  const bus = openBus(inject('redis_url'), await sharedScope(), () => {})
  const queues = openQueues(sql, bus)
  const { realm_id } = realm
  const queue = {
    realm_id,
    user_id: ada.user_id,
    state_seq: 0,
    content_seq: 0,
    lifespan_secs: 600,
    position_name: null,
  }
  const create = () => queues.create({ ...queue, profile: plainProfile })
  const most = limits.max_queues_per_user
  for (let round = 0; round < 3; round++) {
    const created = Promise.all(Array.from({ length: most }, create))
    let isCreating = true
    void created.catch(() => {}).then(() => (isCreating = false))
    while (isCreating) {
      await queues.flush()
      // A flush of no queues waits for nothing.
      await sleep(1)
    }
    await created
  }
  await create()
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from event_queues where realm_id = ${realm_id} and user_id = ${ada.user_id}`
  expect(row?.count).toBeLessThanOrEqual(most)
  // Statements that run at the same time as a flush can order the queues differently, and then delete some more.
  expect(row?.count).toBeGreaterThan(most * 0.9)
  await queues.close()
  await bus.close()
  await sql.end()
})

describe('Gateways that claim one queue', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const makeGateways = () => {
    const published: Broadcast[] = []
    const bus = { publish: (message: Broadcast) => void published.push(message) }
    const gateway = () => {
      const queue = { id: 'q', realm_id: 1, claim: 0 } as Queue
      const ended: string[] = []
      let start: number | undefined
      const end = (id: string) => {
        ended.push(id)
        start = undefined
      }
      const readers = openQueueReaders(bus, { served: () => queue }, { findStart: () => start, end })
      const connect = () => {
        start = Date.now()
        readers.claim(queue)
      }
      const leave = () => {
        start = undefined
      }
      return { ended, readers, connect, leave }
    }
    const [a, b] = [gateway(), gateway()]
    /** Lets the gateways publish, and returns the claims. */
    const publish = () => {
      vi.advanceTimersByTime(30)
      return published.splice(0).flatMap((message) => ('queues_read' in message ? [message.queues_read] : []))
    }
    const deliver = (claims = publish()) => {
      for (const claim of claims) for (const { readers } of [a, b]) readers.receive(claim)
      return claims.length
    }
    return { a, b, publish, deliver }
  }

  test('A gateway that keeps a queue claims it once.', () => {
    const { a, b, deliver } = makeGateways()
    a.connect()
    expect(deliver()).toBe(1)
    a.connect()
    expect(deliver()).toBe(0)
    b.connect()
    expect(deliver()).toBe(1)
    expect(a.ended).toEqual(['q'])
    a.connect()
    expect(deliver()).toBe(1)
    expect(b.ended).toEqual(['q'])
  })

  test('Of two gateways that claim a queue at the same moment, exactly one keeps its client.', () => {
    const { a, b, deliver } = makeGateways()
    a.connect()
    b.connect()
    expect(deliver()).toBe(2)
    expect([a.ended, b.ended]).toEqual([['q'], []])
    a.connect()
    deliver()
    expect([a.ended, b.ended]).toEqual([['q'], ['q']])
  })

  test('A client that gave up before its gateway claimed the queue does not end the reader of another gateway.', () => {
    const { a, b, deliver } = makeGateways()
    b.connect()
    expect(deliver()).toBe(1)
    a.connect()
    a.leave()
    expect(deliver()).toBe(0)
    expect(b.ended).toEqual([])
    a.connect()
    expect(deliver()).toBe(1)
    expect(b.ended).toEqual(['q'])
  })

  test('A client that comes back before the claim of the gateway in between arrives is not closed.', () => {
    const { a, b, publish, deliver } = makeGateways()
    a.connect()
    deliver()
    a.leave()
    b.connect()
    const late = publish()
    expect(late).toHaveLength(1)
    b.leave()
    a.connect()
    expect(publish()).toEqual([])
    deliver(late)
    expect(a.ended).toEqual([])
    // It claims the queue again, so that another reader elsewhere would be closed.
    expect(deliver()).toBe(1)
  })

  test('A client whose connection broke unnoticed is closed when it reads through another gateway.', () => {
    const { a, b, deliver } = makeGateways()
    a.connect()
    deliver()
    vi.advanceTimersByTime(60_000)
    b.connect()
    deliver()
    expect([a.ended, b.ended]).toEqual([['q'], []])
  })
})

describe('Heartbeats in a realm without events', () => {
  test('The heartbeats of a stream do not end a poll before its own heartbeat is due.', async () => {
    await using realm = await newRealm()
    const [ada, grace] = await twoPeople(realm)
    await using gateway = await startGateway({ POLL_HEARTBEAT_MS: '1000', STREAM_HEARTBEAT_MS: '1000' })
    const stream = await register(ada)
    const waiting = await register(grace)
    // Stream heartbeats follow a timer of the gateway. The poll starts shortly before that timer fires.
    await readEvents('sse', gateway.url, ada, stream, 3_000)
    await new Promise((resolve) => setTimeout(resolve, 800))
    const began = Date.now()
    await readEvents('poll', gateway.url, grace, waiting, 5_000)
    expect(Date.now() - began).toBeGreaterThan(900)
  })

  test('A poll is answered with a heartbeat after the seconds for which it asks.', async () => {
    await using realm = await newRealm()
    const [ada] = await twoPeople(realm)
    const { queue_id, last_event_id } = await register(ada)
    const began = Date.now()
    const { body } = await call(ada, 'GET', '/events', { queue_id, last_event_id, heartbeat_seconds: 5 })
    expect(body.events).toMatchObject([{ type: 'heartbeat' }])
    expect(Date.now() - began).toBeGreaterThan(4_900)
    for (const heartbeat_seconds of [0, 4, 61, 'x']) {
      const refused = await call(ada, 'GET', '/events', { queue_id, last_event_id, heartbeat_seconds })
      expect(refused.status, String(heartbeat_seconds)).toBe(400)
    }
  })

  test('Every transport sends heartbeats, and their ids move the cursor forward.', async () => {
    await using realm = await newRealm()
    const [ada] = await twoPeople(realm)
    await using gateway = await startGateway({ POLL_HEARTBEAT_MS: '150', STREAM_HEARTBEAT_MS: '150' })
    const { queue_id, ...start } = await register(ada)
    let { last_event_id } = start
    for (const transport of [...transports, ...transports]) {
      const [event] = await readEvents(transport, gateway.url, ada, { queue_id, last_event_id })
      expect(event?.type, transport).toBe('heartbeat')
      expect(event?.id, transport).toBeGreaterThan(last_event_id)
      last_event_id = event?.id as number
    }
    // Another gateway accepts the cursor of a heartbeat.
    expect((await call(ada, 'GET', '/events', { queue_id, last_event_id, dont_block: true })).body.events).toEqual([])
  })
})

describe('Event WebSockets', () => {
  const open = (url: string, person: Person, query: string, protocols: string[] = [], headers = {}) =>
    new WebSocket(`${url.replace('http', 'ws')}/api/v1/events${query}`, protocols, {
      headers: { Host: person.host, ...headers },
    })

  const frames = (socket: WebSocket, count: number): Promise<Record<string, unknown>[]> =>
    new Promise((resolve, reject) => {
      const seen: Record<string, unknown>[] = []
      socket.on('message', (data) => {
        seen.push(JSON.parse(String(data)))
        if (seen.length === count) resolve(seen)
      })
      socket.on('close', (code, reason) => reject(new Error(`closed with ${code} ${String(reason)}`)))
      socket.on('error', reject)
    })

  test('A WebSocket registers a queue in its handshake, answers calls and receives their events.', async () => {
    await using realm = await newRealm()
    const [ada] = await twoPeople(realm)
    const query = `?${new URLSearchParams({ event_types: '["message"]', fetch_event_types: '["realm_user"]' })}`
    const socket = open(anyGateway(), ada, query, [], { Authorization: basicAuthorization(ada) })
    const answers = frames(socket, 3)
    await new Promise((resolve) => socket.once('open', resolve))
    const params = { type: 'direct', to: [ada.user_id], content: 'over the socket' }
    socket.send(JSON.stringify({ req: 7, method: 'POST', path: '/messages', params }))
    const [registered, ...more] = await answers
    expect(registered).toMatchObject({ req: 0, status: 200, body: { result: 'success', user_id: ada.user_id } })
    expect(more).toContainEqual(expect.objectContaining({ req: 7, status: 200 }))
    const event = more.find((frame) => frame.type === 'message')
    expect(event).toMatchObject({ message: { content: 'over the socket' } })
    socket.terminate()
  })

  test('A WebSocket accepts credentials in the subprotocol, which is the only way for a browser.', async () => {
    await using realm = await newRealm()
    const [ada] = await twoPeople(realm)
    const secret = Buffer.from(`${ada.email}:${ada.api_key}`).toString('base64url')
    const socket = open(anyGateway(), ada, '?event_types=[]', ['parley.v1', `basic.${secret}`])
    const [registered] = await frames(socket, 1)
    expect(socket.protocol).toBe('parley.v1')
    expect(registered).toMatchObject({ req: 0, status: 200 })
    socket.terminate()
  })

  test('A gateway that stops closes its WebSockets with code 4000 (reconnect).', async () => {
    await using realm = await newRealm()
    const [ada] = await twoPeople(realm)
    const gateway = await startGateway()
    const socket = open(gateway.url, ada, '?event_types=[]', [], { Authorization: basicAuthorization(ada) })
    await frames(socket, 1)
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    expect(await gateway.stop()).toBe('exit code 0')
    expect(await closed).toBe(4000)
  })

  test('A client that does not read its WebSocket is disconnected, and receives every message after it resumes.', {
    timeout: 60_000,
  }, async () => {
    await using realm = await newRealm()
    const [ada, grace] = await twoPeople(realm)
    await subscribe(ada, 'team', [ada, grace])
    const cursor = await register(grace)
    const url = anyGateway()
    const query = `?queue_id=${cursor.queue_id}&last_event_id=${cursor.last_event_id}`
    const socket = open(url, grace, query, [], { Authorization: basicAuthorization(grace) })
    await new Promise((resolve) => socket.once('open', resolve))
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.pause()
    const long = 'x'.repeat(9_000)
    const sent = 2_000
    for (let n = 0; n < sent; n += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, i) => sendToChannel(ada, 'team', `${n + i} ${long}`)))
    }
    socket.resume()
    await closed

    let last_event_id = cursor.last_event_id
    const received = new Set<string>()
    while (received.size < sent) {
      const events = await readEvents('poll', url, grace, { queue_id: cursor.queue_id, last_event_id })
      last_event_id = events.at(-1)?.id ?? last_event_id
      for (const content of contents(events)) {
        const number = /^(\d+) x/.exec(content)?.[1]
        if (number !== undefined) received.add(number)
      }
    }
    expect(received.size).toBe(sent)
  })
})
