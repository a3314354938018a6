/**
 * Sends events to Kafka. Only this file imports its library.
 *
 * 1. The key of an event is its subscription, so that all events of a subscription are in one partition, in order. A
 *    batch waits for that before it, and is stored as a whole by all replicas that are in sync.
 * 2. The producer is idempotent: what it repeats by itself, for instance while a broker starts again, is stored once.
 *    After a longer failure an event can be stored twice. Its id is in the header `webhook-id`.
 * 3. The operator creates the topics.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type MessageToProduce, Producer, stringSerializers } from '@platformatic/kafka'
import type { BrokerUrl } from '../../../domain/deployment/broker-url.js'
import type { BrokerClient } from './broker-client.js'
import { SinkError, type SinkEvent } from './event-sink.js'

const CONNECT_MS = 5_000
/** Milliseconds for the answer to a request. */
const TIMEOUT_MS = 10_000
/** How often the producer repeats by itself (2), and how many milliseconds it waits before. */
const RETRIES = 8
const RETRY_DELAY_MS = 500
/** Bytes of a request: a broker accepts one million, if its operator chose no other limit. */
const MAX_REQUEST_BYTES = 500_000

/** Opens a client of Kafka. It connects when it sends. */
export const openKafkaClient = (broker: BrokerUrl): BrokerClient => {
  let producer: Producer<string, string, string, string> | undefined
  return {
    async send(topic, batch, signal) {
      try {
        producer ??= openProducer(broker)
        for (const part of cutBatch(batch)) {
          if (signal.aborted) return
          await producer.send({ messages: part.map((event) => composeMessage(topic, event)) })
        }
      } catch (error) {
        throw describeError(error, topic)
      }
    },
    close: async () => producer?.close(),
  }
}

const openProducer = ({ hosts, login, password, mechanism, tls }: BrokerUrl) => {
  const read = (file: string | undefined) => (file === undefined ? undefined : readFileSync(file))
  return new Producer<string, string, string, string>({
    clientId: 'parley',
    bootstrapBrokers: [...hosts],
    idempotent: true,
    autocreateTopics: false,
    connectTimeout: CONNECT_MS,
    timeout: TIMEOUT_MS,
    requestTimeout: TIMEOUT_MS,
    retries: RETRIES,
    retryDelay: RETRY_DELAY_MS,
    serializers: stringSerializers,
    ...(login === undefined ? {} : { sasl: { mechanism, username: login, password: password ?? '' } }),
    ...(tls === undefined
      ? {}
      : {
          tls: { ca: read(tls.ca), cert: read(tls.cert), key: read(tls.key) },
          // RFC 6066 allows no address here.
          tlsServerName: hosts.every(({ host }) => isIP(host) === 0),
        }),
  })
}

const composeMessage = (topic: string, event: SinkEvent): MessageToProduce<string, string, string, string> => ({
  topic,
  key: event.subscription_id,
  value: event.body,
  headers: { 'webhook-id': event.id, 'webhook-timestamp': String(event.timestamp) },
})

/** Cuts a batch into parts that a broker accepts, each with at least one event. */
const cutBatch = (batch: readonly SinkEvent[]): SinkEvent[][] => {
  const parts: SinkEvent[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const event of batch) {
    const bytes = Buffer.byteLength(event.body)
    if (size + bytes > MAX_REQUEST_BYTES) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(event)
    size += bytes
  }
  return parts
}

/** What the codes of Kafka, and of its library, say to the owner of a subscription. */
const explanations = new Map<unknown, (topic: string) => string>([
  ['UNKNOWN_TOPIC_OR_PARTITION', (topic) => `Kafka has no topic ${topic}`],
  ['TOPIC_AUTHORIZATION_FAILED', (topic) => `this server may not write to the topic ${topic}`],
  ['CLUSTER_AUTHORIZATION_FAILED', () => 'this server may not write to Kafka'],
  ['MESSAGE_TOO_LARGE', (topic) => `an event has more bytes than the topic ${topic} accepts`],
  ['RECORD_LIST_TOO_LARGE', (topic) => `an event has more bytes than the topic ${topic} accepts`],
  ['NOT_ENOUGH_REPLICAS', (topic) => `too few replicas of the topic ${topic} are in sync`],
  ['PLT_KFK_AUTHENTICATION', () => 'Kafka refuses the login of this server'],
])

const describeError = (error: unknown, topic: string): SinkError => {
  const causes = listCauses(error)
  for (const cause of causes) {
    const { apiId, code } = cause as { apiId?: unknown; code?: unknown }
    const explain = explanations.get(apiId) ?? explanations.get(code)
    if (explain !== undefined) return new SinkError(explain(topic))
  }
  // The last one is what happened; those before it say in which step, and how often.
  return new SinkError(`Kafka has not stored the events (${causes.at(-1)?.message ?? String(error)})`)
}

/** An error and what caused it, of several attempts those of the last one. */
const listCauses = (error: unknown): Error[] => {
  if (!(error instanceof Error)) return []
  return [error, ...listCauses(error instanceof AggregateError ? error.errors.at(-1) : error.cause)]
}
