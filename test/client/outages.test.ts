/** The client library while something between it and the gateways fails: proxies, networks, outages of seconds. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'vitest'
import type { EventStream, Transport } from '../../client/src/index.js'
import { startRelays, waitUntilOpen } from '../setup/clients/library-client.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'

/** A connection that has worked for this time is trusted (client/src/events/connection.ts). */
const LASTING_MS = 10_000

/** Creates a channel of Ada, and one relay in front of all gateways. */
const start = async () => {
  const realm = await newRealm()
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] })
  const relays = await startRelays(realm.host)
  const [relay, ...others] = relays.list
  for (const other of others) await other[Symbol.asyncDispose]()
  if (relay === undefined) throw new Error('There is no gateway.')
  const open = (transports?: Transport[]) =>
    relays.client(ada, { url: relay.url }).events({
      event_types: ['message'],
      ...(transports !== undefined && { transports }),
    })
  const say = (content: string) =>
    ok(ada, 'POST', '/messages', { type: 'channel', to: 'general', topic: 'outage', content })
  return {
    relay,
    ada,
    open,
    say,
    client: () => relays.client(ada, { url: relay.url }),
    async [Symbol.asyncDispose]() {
      await relay[Symbol.asyncDispose]()
      await realm[Symbol.asyncDispose]()
    },
  }
}

const TICK_MS = 100

/** Measures the time in which this process runs: a machine that stalls does not count. @returns milliseconds so far */
const startClock = (): (() => number) => {
  let ticks = 0
  const timer = setInterval(() => {
    ticks += 1
  }, TICK_MS).unref()
  return () => {
    clearInterval(timer)
    return ticks * TICK_MS
  }
}

/** Notes the contents of all messages, and how the events ended. */
const readAll = (events: EventStream) => {
  const seen = { contents: [] as string[], end: 'open' }
  const read = async () => {
    for await (const event of events) if (event.type === 'message') seen.contents.push(event.message.content)
  }
  read().then(
    () => {
      seen.end = 'without an error'
    },
    (error: Error) => {
      seen.end = error.name
    },
  )
  return seen
}

describe.concurrent('A client of one relay', { timeout: 60_000 }, () => {
  test('keeps WebSockets that have worked while handshakes fail for some seconds.', async ({ expect }) => {
    await using world = await start()
    const events = world.open()
    const seen = readAll(events)
    await waitUntilOpen(events)
    await sleep(LASTING_MS + 500)
    const used = new Set<Transport>()
    events.state.subscribe(() => used.add(events.state.get().transport))
    world.relay.refusesSockets = true
    world.relay.cut()
    await world.say('during the outage')
    await sleep(4_000)
    world.relay.refusesSockets = false
    await expect.poll(() => seen.contents, { timeout: 20_000 }).toEqual(['during the outage'])
    expect([...used]).toEqual(['websocket'])
    events.close()
  })

  test('uses a stream where WebSockets never worked, and tries them again after seconds.', async ({ expect }) => {
    await using world = await start()
    world.relay.refusesSockets = true
    const events = world.open()
    const seen = readAll(events)
    await expect.poll(() => events.state.get(), { timeout: 10_000 }).toMatchObject({ status: 'open', transport: 'sse' })
    await world.say('over the stream')
    await expect.poll(() => seen.contents).toEqual(['over the stream'])
    world.relay.refusesSockets = false
    const isBack = { status: 'open', transport: 'websocket' }
    await expect.poll(() => events.state.get(), { timeout: 15_000 }).toMatchObject(isBack)
    await world.say('over a socket')
    await expect.poll(() => seen.contents).toEqual(['over the stream', 'over a socket'])
    events.close()
  })

  test('tries again less and less often while each of its sockets breaks at once.', async ({ expect }) => {
    await using world = await start()
    world.relay.breaksSockets = true
    const events = world.open(['websocket'])
    const seen = readAll(events)
    await expect.poll(() => world.relay.handshakes, { timeout: 10_000 }).toBeGreaterThan(0)
    const before = world.relay.handshakes
    await sleep(12_000)
    // The bounds of the pauses are 0.5, 1, 2, 4 and 8 seconds: at their mean, five attempts in 12 seconds.
    expect(world.relay.handshakes - before).toBeLessThan(12)
    world.relay.breaksSockets = false
    await world.say('at last')
    await expect.poll(() => seen.contents, { timeout: 35_000 }).toEqual(['at last'])
    events.close()
  })

  test.for<Transport>(['websocket', 'sse', 'poll'])(
    'takes no answer of a proxy for one of the gateway, over %s.',
    async (transport, { expect }) => {
      await using world = await start()
      const answers = [
        ['403 Forbidden', '{"message":"Forbidden"}'],
        ['404 Not Found', '{"error":"no such page"}'],
        ['408 Request Timeout', '<h1>Timeout</h1>'],
        ['421 Misdirected Request', '{"result":null}'],
        ['425 Too Early', ''],
        ['401 Unauthorized', '{"realm":"proxy"}'],
        ['200 OK', '{"status":"maintenance"}'],
        ['200 OK', '[]'],
        ['200 OK', '"result"'],
      ]
      for (const [index, [status, body = '']] of answers.entries()) {
        const answer = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
        // The answer to the registration.
        world.relay.answer = answer
        const events = world.open([transport])
        const seen = readAll(events)
        await sleep(100)
        world.relay.answer = undefined
        await expect.poll(() => [seen.end, events.state.get().status], { timeout: 10_000 }).toEqual(['open', 'open'])
        // The answer to a client that connects again.
        world.relay.answer = answer
        world.relay.cut()
        await sleep(100)
        world.relay.answer = undefined
        await world.say(`after answer ${index}`)
        await expect.poll(() => seen.contents, { timeout: 10_000 }).toEqual([`after answer ${index}`])
        expect(seen.end, `${status} ${body}`).toBe('open')
        events.close()
      }
    },
  )

  test('fails a call that a proxy answered with ConnectionError.', async ({ expect }) => {
    await using world = await start()
    const body = '{"message":"Forbidden"}'
    world.relay.answer = `HTTP/1.1 403 Forbidden\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    await expect(world.client().call('GET /users/me')).rejects.toMatchObject({ name: 'ConnectionError' })
  })

  test('notices within 15 seconds that nothing arrives any more, when a call has no answer.', async ({ expect }) => {
    await using world = await start()
    const client = world.client()
    const events = client.events({ event_types: ['message'] })
    const seen = readAll(events)
    await waitUntilOpen(events)
    world.relay.swallows = true
    const readClock = startClock()
    const call = client.call('POST /typing', { op: 'start', type: 'direct', to: [world.ada.user_id] }).then(
      () => 'answered',
      (error: Error) => error.name,
    )
    expect(await call).toBe('ConnectionError')
    expect(readClock()).toBeLessThan(15_000)
    await world.say('while nothing arrives')
    world.relay.swallows = false
    await expect.poll(() => seen.contents, { timeout: 25_000 }).toEqual(['while nothing arrives'])
    events.close()
  })

  test.for<Transport>(['websocket', 'sse', 'poll'])(
    'notices within 15 seconds that nothing arrives any more although it asks nothing, over %s.',
    async (transport, { expect }) => {
      await using world = await start()
      const events = world.open([transport])
      const seen = readAll(events)
      await waitUntilOpen(events)
      const ends: (string | undefined)[] = []
      events.state.subscribe(() => events.state.get().status === 'waiting' && ends.push(events.state.get().reason))
      // It stays open while the gateway has nothing to say.
      await sleep(20_000)
      expect(ends).toEqual([])
      world.relay.swallows = true
      await expect.poll(() => ends.length, { timeout: 17_000 }).toBe(1)
      expect(ends).toEqual(['The connection is silent.'])
      await world.say('while nothing arrives')
      world.relay.swallows = false
      world.relay.cut()
      await expect.poll(() => seen.contents, { timeout: 25_000 }).toEqual(['while nothing arrives'])
      events.close()
    },
  )

  test('keeps its socket while a call takes long and the gateway answers others.', async ({ expect }) => {
    await using world = await start()
    world.relay.delay = 9_000
    const client = world.client()
    const events = client.events({ event_types: ['message'] })
    const seen = readAll(events)
    await expect.poll(() => events.state.get().status, { timeout: 30_000 }).toBe('open')
    const ends: string[] = []
    events.state.subscribe(() => ends.push(events.state.get().status))
    const answer = await client.call('GET /users/me')
    expect(answer.user_id).toBe(world.ada.user_id)
    expect(ends).toEqual([])
    expect(seen.end).toBe('open')
    events.close()
  })

  test('sends a call that is too large for a frame over HTTP, and the others are answered.', async ({ expect }) => {
    await using world = await start()
    const client = world.client()
    const events = client.events({ event_types: ['message'] })
    await waitUntilOpen(events)
    const ends: string[] = []
    events.state.subscribe(() => ends.push(events.state.get().status))
    const say = (content: string) =>
      client.call('POST /messages', { type: 'channel', to: 'general', topic: 'large', content }).then(
        () => 'answered',
        (error: Error) => error.name,
      )
    // Two bytes of UTF-8 for each character: below the limit as text, above it as bytes.
    const answers = await Promise.all([say('one'), say('x'.repeat(2_000_000)), say('ä'.repeat(600_000)), say('two')])
    expect(answers.filter((answer) => answer === 'ConnectionError' || answer === 'TimeoutError')).toEqual([])
    expect([answers[0], answers[3]]).toEqual(['answered', 'answered'])
    expect(ends).toEqual([])
    events.close()
  })

  test.for<'over HTTP' | 'over a socket'>(['over HTTP', 'over a socket'])(
    'ends a call without an answer after its time limit, %s.',
    async (way, { expect }) => {
      await using world = await start()
      const client = world.client()
      const events = client.events({ event_types: ['message'] })
      if (way === 'over a socket') await waitUntilOpen(events)
      else events.close()
      world.relay.swallows = true
      const fails = async (call: Promise<unknown>) => {
        const readClock = startClock()
        const error = await call.then(
          () => undefined,
          (reason: Error) => reason,
        )
        return { name: error?.name, isPrompt: readClock() < 5_000 }
      }
      const expected = { name: 'TimeoutError', isPrompt: true }
      const typing = { op: 'start' as const, type: 'direct' as const, to: [world.ada.user_id] }
      expect(await fails(client.call('POST /typing', typing, { timeout: 1_000 }))).toEqual(expected)
      expect(await fails(client.call('GET /users/me', {}, { timeout: 1_000 }))).toEqual(expected)
      world.relay.swallows = false
      world.relay.cut()
      // The connections that were cut are known as such.
      await sleep(300)
      expect((await client.call('GET /users/me', {}, { timeout: 20_000 })).user_id).toBe(world.ada.user_id)
      events.close()
    },
  )
})
