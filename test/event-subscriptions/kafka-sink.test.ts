/** Events that the server delivers to Kafka, on a real broker. Without Java and Maven, these tests are skipped. */
import { randomUUID } from 'node:crypto'
import { Consumer, type Message, stringDeserializers } from '@platformatic/kafka'
import { afterAll, expect, test } from 'vitest'
import { openBrokerSinks } from '../../src/workers/event-subscriptions/sinks/broker-sinks.js'
import type { SinkEvent } from '../../src/workers/event-subscriptions/sinks/event-sink.js'
import { findKafkaObstacle, startKafka, type TestKafka } from '../setup/processes/kafka-broker.js'
import { openRandom } from '../setup/random.js'
import { composeEvents, deliverAll } from './runner.js'

const obstacle = await findKafkaObstacle()
const skipped = obstacle === undefined ? '' : ` (skipped: ${obstacle})`
const broker = obstacle === undefined ? await startKafka() : undefined
afterAll(() => broker?.kill())

const requireBroker = (): TestKafka => {
  if (broker === undefined) throw new Error('There is no broker.')
  return broker
}

type Received = Message<string, string, string, string>

/** Reads a topic from its beginning until a function says that it is enough. */
const readTopic = async (topic: string, isEnough: (found: readonly Received[]) => boolean): Promise<Received[]> => {
  const consumer = new Consumer({
    clientId: 'test',
    groupId: randomUUID(),
    bootstrapBrokers: [requireBroker().address],
    deserializers: stringDeserializers,
  })
  const stream = await consumer.consume({ topics: [topic], mode: 'earliest', autocommit: false })
  const found: Received[] = []
  for await (const message of stream) {
    found.push(message)
    if (isEnough(found)) break
  }
  await consumer.close(true)
  return found
}

const openSinks = (url: string) =>
  openBrokerSinks({ EVENT_NATS_URL: undefined, EVENT_KAFKA_URL: url, EVENT_TOPIC_PREFIX: 'parley.{realm_id}.' })

const openSink = (sinks: ReturnType<typeof openSinks>, topic: string, subscription_id = 'a') =>
  sinks.open('kafka', { kind: 'kafka', address: topic, realm_id: 1, subscription_id, secrets: [] })

const deliver = (sinks: ReturnType<typeof openSinks>, topic: string, events: readonly SinkEvent[]) =>
  openSink(sinks, topic).deliver(events, AbortSignal.timeout(20_000))

const idOf = (message: Received) => message.headers.get('webhook-id')

test.skipIf(obstacle !== undefined)(
  `A topic of Kafka has each event in order and once by id, although its broker is killed.${skipped}`,
  { timeout: 120_000 },
  async () => {
    const { url, kill, start, createTopic } = requireBroker()
    await createTopic('parley.1.killed')
    const random = openRandom(Number(process.env.SEED ?? Date.now()))
    const subscriptions = [composeEvents(300), composeEvents(300)]
    const sinks = openSinks(url)
    let isKilled = false
    let restarting = Promise.resolve()
    const deliveries = subscriptions.map((events) =>
      deliverAll(openSink(sinks, 'parley.1.killed'), events, random, (delivered) => {
        if (delivered < 100 || isKilled) return
        isKilled = true
        restarting = kill().then(start)
      }),
    )
    await Promise.all(deliveries)
    await restarting
    await sinks.close()
    expect(isKilled).toBe(true)
    const found = await readTopic('parley.1.killed', (received) => new Set(received.map(idOf)).size === 600)
    for (const events of subscriptions) {
      const received = found.filter(({ key }) => key === events[0]?.subscription_id)
      const firsts = received.filter((one, i) => received.findIndex((other) => idOf(other) === idOf(one)) === i)
      expect(firsts.map(({ value }) => value)).toEqual(events.map(({ body }) => body))
      expect(new Set(received.map(({ partition }) => partition)).size).toBe(1)
    }
  },
)

test.skipIf(obstacle !== undefined)(
  `A subscription delivers over an encrypted connection with a login, and events that are long together.${skipped}`,
  async () => {
    const { secureUrl, createTopic } = requireBroker()
    await createTopic('parley.1.secure')
    const sinks = openSinks(secureUrl)
    const events = composeEvents(5).map((event) => ({ ...event, body: JSON.stringify('x'.repeat(400_000)) }))
    await deliver(sinks, 'parley.1.secure', events)
    await sinks.close()
    const found = await readTopic('parley.1.secure', ({ length }) => length === 5)
    expect(found.map(idOf)).toEqual(events.map(({ id }) => id))
  },
)

test.skipIf(obstacle !== undefined)(
  `The owner of a subscription learns why Kafka has not stored an event, and no password.${skipped}`,
  { timeout: 60_000 },
  async () => {
    const { url, secureUrl, createTopic } = requireBroker()
    await createTopic('parley.1.small')
    const sinks = openSinks(url)
    await expect(deliver(sinks, 'parley.1.nowhere', composeEvents(1))).rejects.toMatchObject({
      message: 'Kafka has not stored the events (Unknown topic parley.1.nowhere.)',
      reason: 'transient',
    })
    const [event] = composeEvents(1) as [SinkEvent]
    const long = { ...event, body: JSON.stringify('x'.repeat(1_100_000)) }
    await expect(deliver(sinks, 'parley.1.small', [long])).rejects.toThrow(
      'an event has more bytes than the topic parley.1.small accepts',
    )
    await expect(deliver(sinks, 'parley.2.orders', composeEvents(1))).rejects.toMatchObject({ reason: 'gone' })
    const stranger = openSinks(secureUrl.replace('p%40ss', 'other'))
    await expect(deliver(stranger, 'parley.1.small', composeEvents(1))).rejects.toThrow(
      'Kafka refuses the login of this server',
    )
    const untrusting = openSinks(secureUrl.replace(/\?.*/, ''))
    await expect(deliver(untrusting, 'parley.1.small', composeEvents(1))).rejects.toThrow(
      /^Kafka has not stored the events \(/,
    )
    for (const one of [sinks, stranger, untrusting]) await one.close()
  },
)
