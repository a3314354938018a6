/** Events that the server delivers to NATS JetStream, on a real server. Without Go, these tests are skipped. */
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { afterAll, expect, test } from 'vitest'
import { parseBrokerUrl } from '../../src/domain/deployment/broker-url.js'
import { openBrokerSinks } from '../../src/workers/event-subscriptions/sinks/broker-sinks.js'
import type { SinkEvent } from '../../src/workers/event-subscriptions/sinks/event-sink.js'
import type { TestBroker } from '../setup/processes/broker-process.js'
import { makeCertificates } from '../setup/processes/certificates.js'
import { findNatsObstacle, startNats } from '../setup/processes/nats-server.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { openRandom } from '../setup/random.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { readRefusal } from '../setup/realm/refusals.js'
import { composeEvents, deliverAll } from './runner.js'

const obstacle = await findNatsObstacle()
const skipped = obstacle === undefined ? '' : ` (skipped: ${obstacle})`
const server = obstacle === undefined ? await startNats() : undefined
afterAll(() => server?.kill())

interface Body {
  message: { content: string }
}

const requireServer = (): TestBroker => {
  if (server === undefined) throw new Error('There is no server.')
  return server
}

/** A connection of the test, which creates a stream and reads it. */
const openStream = async (url: string, name: string, subject: string) => {
  const { hosts, login, password } = parseBrokerUrl('nats', url)
  const servers = hosts.map(({ host, port }) => `${host}:${port}`)
  const connection = await connect({ servers, user: login, pass: password, waitOnFirstConnect: true })
  const manager = await jetstreamManager(connection)
  if (!(await manager.streams.names().next()).includes(name)) await manager.streams.add({ name, subjects: [subject] })
  return {
    /** The messages of the stream, in its order. */
    async read() {
      const { state } = await manager.streams.info(name)
      const numbers = Array.from({ length: state.messages }, (_, i) => state.first_seq + i)
      return Promise.all(numbers.map((seq) => manager.streams.getMessage(name, { seq })))
    },
    [Symbol.asyncDispose]: () => connection.close(),
  }
}

const openSinks = (url: string) =>
  openBrokerSinks({ EVENT_NATS_URL: url, EVENT_KAFKA_URL: undefined, EVENT_TOPIC_PREFIX: 'parley.{realm_id}.' })

const openSink = (sinks: ReturnType<typeof openSinks>, subject: string, subscription_id = 'a') =>
  sinks.open('nats', { kind: 'nats', address: subject, realm_id: 1, subscription_id, secrets: [] })

const deliver = (sinks: ReturnType<typeof openSinks>, subject: string, events: readonly SinkEvent[]) =>
  openSink(sinks, subject).deliver(events, AbortSignal.timeout(10_000))

test.skipIf(obstacle !== undefined)(
  `A stream of NATS has each event once and in order, although its server is killed again and again.${skipped}`,
  { timeout: 120_000 },
  async () => {
    const { url, kill, start } = requireServer()
    const random = openRandom(Number(process.env.SEED ?? Date.now()))
    const events = composeEvents(400)
    await using stream = await openStream(url, 'KILLED', 'parley.1.killed')
    const sinks = openSinks(url)
    let restarting = Promise.resolve()
    let kills = 0
    const failures = await deliverAll(openSink(sinks, 'parley.1.killed'), events, random, (delivered) => {
      if (delivered < (kills + 1) * 75) return
      kills++
      restarting = restarting.then(kill).then(start)
    })
    await restarting
    await sinks.close()
    expect([kills, failures > 0]).toEqual([5, true])
    await using again = await openStream(url, 'KILLED', 'parley.1.killed')
    const found = await again.read()
    expect(found.map((message) => message?.header.get('webhook-id'))).toEqual(events.map(({ id }) => id))
    expect(found.map((message) => message?.json())).toEqual(events.map(({ body }) => JSON.parse(body)))
    void stream
  },
)

test.skipIf(obstacle !== undefined)(
  `An event that is delivered twice is in the stream once, and subscriptions do not disturb each other.${skipped}`,
  async () => {
    const { url } = requireServer()
    await using stream = await openStream(url, 'TWICE', 'parley.1.twice')
    const sinks = openSinks(url)
    const [first, second] = [composeEvents(3, 'first'), composeEvents(3, 'second')]
    for (const events of [first, first, second]) await deliver(sinks, 'parley.1.twice', events)
    const ids = (await stream.read()).map((message) => message?.header.get('webhook-id'))
    expect(ids).toEqual([...first, ...second].map(({ id }) => id))
    await sinks.close()
  },
)

test.skipIf(obstacle !== undefined)(
  `The owner of a subscription learns why NATS has not stored an event, and no password.${skipped}`,
  async () => {
    const { url } = requireServer()
    const sinks = openSinks(url)
    const [event] = composeEvents(1) as [SinkEvent]
    const refusal = (subject: string, events = [event], given = sinks) =>
      deliver(given, subject, events).then(
        () => undefined,
        ({ message, reason }) => [message, reason],
      )
    expect(await refusal('parley.1.nowhere')).toEqual([
      'no stream of JetStream has the subject parley.1.nowhere',
      'transient',
    ])
    const long = { ...event, body: JSON.stringify('x'.repeat(1_100_000)) }
    expect(await refusal('parley.1.nowhere', [long])).toEqual([
      'an event of type message has 1100002 bytes, and NATS accepts 1048576 with its headers',
      'transient',
    ])
    const stranger = openSinks(url.replace('p%40ss', 'other'))
    expect(await refusal('parley.1.a', [event], stranger)).toEqual([
      'NATS refuses the login of this server',
      'transient',
    ])
    const away = openSinks('nats://parley:secret@127.0.0.1:1')
    expect(await refusal('parley.1.a', [event], away)).toEqual([
      'NATS cannot be reached (connection refused)',
      'transient',
    ])
    expect(await refusal('parley.1.a', [event], openBrokerSinks({ EVENT_TOPIC_PREFIX: 'parley.{realm_id}.' }))).toEqual(
      ['this server is not connected to NATS', 'transient'],
    )
    await sinks.close()
  },
)

test.skipIf(obstacle !== undefined)(
  `A subscription cannot write to subjects of other organizations, nor to the API of JetStream.${skipped}`,
  async () => {
    const { url } = requireServer()
    await using stream = await openStream(url, 'OTHERS', 'parley.2.>')
    const sinks = openSinks(url)
    const attacks = [
      'parley.2.orders',
      '$JS.API.STREAM.DELETE.OTHERS',
      'parley.1.',
      'parley.1.>',
      'parley.1.a b',
      'parley.1.a\r\nPUB b 0',
    ]
    for (const subject of attacks) {
      await expect(deliver(sinks, subject, composeEvents(1))).rejects.toMatchObject({
        message: `${subject} does not belong to this organization`,
        reason: 'gone',
      })
    }
    expect(await stream.read()).toEqual([])
    await sinks.close()
  },
)

test.skipIf(obstacle !== undefined)(
  `Connections to NATS are encrypted, and its certificate is checked.${skipped}`,
  async () => {
    const files = makeCertificates()
    const secure = await startNats(files)
    try {
      const plain = openSinks(requireServer().url.replace('nats:', 'nats+tls:'))
      await expect(deliver(plain, 'parley.1.a', composeEvents(1))).rejects.toThrow(/^NATS cannot be reached \(/)
      const untrusting = openSinks(secure.url.replace(/\?.*/, ''))
      await expect(deliver(untrusting, 'parley.1.a', composeEvents(1))).rejects.toThrow(/certificate/)
      const sinks = openSinks(secure.url)
      await expect(deliver(sinks, 'parley.1.a', composeEvents(1))).rejects.toThrow(
        'no stream of JetStream has the subject',
      )
      await sinks.close()
    } finally {
      await secure.kill()
    }
  },
)

test.skipIf(obstacle !== undefined)(
  `A message of a channel comes to the stream of a subscription that a member has created.${skipped}`,
  { timeout: 60_000 },
  async () => {
    const { url } = requireServer()
    await using fleet = await startOwnFleet({ EVENT_NATS_URL: url })
    const there = { url: fleet.gateway.url }
    const [ada] = (await fleet.realm.people({ full_name: 'Ada' })) as [Person]
    const { sinks, topic_prefix } = await ok(ada, 'GET', '/event_subscriptions', {}, there)
    expect(sinks).toEqual(['http', 'nats'])
    const address = `${topic_prefix}tickets`
    await using stream = await openStream(url, 'TICKETS', address)
    const subscription = { name: 'Tickets', sink: 'nats', event_types: ['message'] }
    const foreign = call(ada, 'POST', '/event_subscriptions', { ...subscription, address: 'parley.0.tickets' }, there)
    expect((await readRefusal(foreign)).msg).toContain(`address must begin with ${topic_prefix}`)
    await ok(ada, 'POST', '/event_subscriptions', { ...subscription, address }, there)
    const worker = await fleet.worker()
    await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }] }, there)
    const message = { type: 'channel', to: 'design', topic: 'logo', content: 'New draft' }
    await ok(ada, 'POST', '/messages', message, there)
    const contents = async () => (await stream.read()).map((message) => message?.json<Body>().message.content)
    await expect.poll(contents, { timeout: 30_000 }).toContain('New draft')
    await worker.stop()
  },
)
