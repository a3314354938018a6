/**
 * The sinks that deliver to a message broker of the operator: a subject of NATS JetStream, or a topic of Kafka.
 *
 * 1. A process has one client of each broker, which all subscriptions share. The library of a broker is loaded with
 *    the first delivery to it: that of Kafka takes 60 MB of memory.
 * 2. A subscription writes to topics of its organization only (domain/event-subscriptions/topics.ts).
 * 3. An aborted delivery returns at once. What the client has sent of it can still arrive later, with its id.
 */
import type { Config } from '../../../config/config.js'
import { type BrokerKind, type BrokerUrl, parseBrokerUrl } from '../../../domain/deployment/broker-url.js'
import { isOwnTopic } from '../../../domain/event-subscriptions/topics.js'
import type { BrokerClient } from './broker-client.js'
import { type EventSink, type OpenTarget, SinkError } from './event-sink.js'

/** The most events of a delivery. */
const MAX_BATCH = 100

export interface BrokerSinks {
  /** Opens the sink of a subscription of this kind. */
  open(kind: BrokerKind, target: OpenTarget): EventSink
  /** Ends the connections to the brokers. */
  close(): Promise<void>
}

type BrokerSettings = Pick<Config, 'EVENT_NATS_URL' | 'EVENT_KAFKA_URL' | 'EVENT_TOPIC_PREFIX'>

const loadClient: Record<BrokerKind, (broker: BrokerUrl) => Promise<BrokerClient>> = {
  nats: async (broker) => (await import('./nats-client.js')).openNatsClient(broker),
  kafka: async (broker) => (await import('./kafka-client.js')).openKafkaClient(broker),
}

const names: Record<BrokerKind, string> = { nats: 'NATS', kafka: 'Kafka' }
const variables = { nats: 'EVENT_NATS_URL', kafka: 'EVENT_KAFKA_URL' } as const

/** Opens the sinks of the brokers. None of them is connected before the first delivery (1). */
export const openBrokerSinks = (settings: BrokerSettings): BrokerSinks => {
  const clients = new Map<BrokerKind, Promise<BrokerClient>>()

  const requireClient = (kind: BrokerKind): Promise<BrokerClient> => {
    const url = settings[variables[kind]]
    if (url === undefined) throw new SinkError(`this server is not connected to ${names[kind]}`)
    const opened = clients.get(kind) ?? loadClient[kind](parseBrokerUrl(kind, url))
    clients.set(kind, opened)
    return opened
  }

  return {
    open: (kind, { address, realm_id }) => ({
      maxBatch: MAX_BATCH,
      async deliver(batch, signal) {
        if (!isOwnTopic(address, settings.EVENT_TOPIC_PREFIX, realm_id)) {
          throw new SinkError(`${address} does not belong to this organization`, 'gone')
        }
        const client = await requireClient(kind)
        await raceAbort(client.send(address, batch, signal), signal)
      },
      // The client is that of all subscriptions.
      close: () => Promise.resolve(),
    }),
    async close() {
      for (const opened of clients.values()) await (await opened).close()
    },
  }
}

/** Waits for work until the signal aborts (3). */
const raceAbort = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new SinkError('the broker did not answer in time'))
    signal.addEventListener('abort', stop)
  })
  if (signal.aborted) stop()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
