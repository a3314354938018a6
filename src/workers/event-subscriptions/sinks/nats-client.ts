/**
 * Sends events to NATS JetStream. Only this file imports its libraries.
 *
 * 1. One event of a delivery is sent after the stream has acknowledged the last one: a stream that refuses one in the
 *    middle has none of the later ones.
 * 2. The id of an event is its `Nats-Msg-Id`, so a stream stores an event that comes twice within its duplicate window
 *    (two minutes, if its owner chose no other) once.
 * 3. A lost connection is not repaired but replaced: the library would keep what it has not sent, and send it when
 *    another worker has delivered it long ago.
 */
import { readFile } from 'node:fs/promises'
import { JetStreamApiError, type JetStreamClient, jetstream } from '@nats-io/jetstream'
import {
  AuthorizationError,
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  headers,
  type NatsConnection,
  NoRespondersError,
  PermissionViolationError,
  TimeoutError,
} from '@nats-io/transport-node'
import type { BrokerUrl } from '../../../domain/deployment/broker-url.js'
import type { BrokerClient } from './broker-client.js'
import { SinkError, type SinkEvent } from './event-sink.js'

/** Milliseconds for a connection, and for the acknowledgement of an event. */
const TIMEOUT_MS = 5_000
/** Milliseconds between pings. A connection of which two are unanswered is lost. */
const PING_MS = 10_000

/** Opens a client of NATS. It connects when it sends. */
export const openNatsClient = (broker: BrokerUrl): BrokerClient => {
  let connection: Promise<NatsConnection> | undefined

  const openConnection = (): Promise<NatsConnection> => {
    const opened = composeOptions(broker).then(connect)
    connection = opened
    const forget = () => {
      if (connection === opened) connection = undefined
    }
    opened.then((found) => found.closed()).then(forget, forget)
    return opened
  }

  return {
    async send(subject, batch, signal) {
      try {
        const open = await (connection ?? openConnection())
        const stream = jetstream(open, { timeout: TIMEOUT_MS })
        for (const event of batch) {
          if (signal.aborted) return
          checkSize(event, open.info?.max_payload)
          await publish(stream, subject, event)
        }
      } catch (error) {
        throw describeError(error, subject)
      }
    },
    async close() {
      const open = await connection?.catch(() => undefined)
      await open?.close()
    },
  }
}

const publish = async (stream: JetStreamClient, subject: string, event: SinkEvent): Promise<void> => {
  const fields = headers()
  fields.set('Content-Type', 'application/json')
  fields.set('webhook-id', event.id)
  fields.set('webhook-timestamp', String(event.timestamp))
  await stream.publish(subject, event.body, { msgID: event.id, headers: fields })
}

/** The server ends the connection of a client that sends more. Throws SinkError. */
const checkSize = ({ type, body }: SinkEvent, limit = Number.POSITIVE_INFINITY): void => {
  const size = Buffer.byteLength(body)
  // The headers count too.
  if (size + 1_000 > limit) {
    throw new SinkError(`an event of type ${type} has ${size} bytes, and NATS accepts ${limit} with its headers`)
  }
}

/** Files are read for each connection, so that the operator can replace them. */
const composeOptions = async (broker: BrokerUrl): Promise<ConnectionOptions> => {
  const { hosts, login, password, credentials_file, tls } = broker
  return {
    name: 'parley',
    servers: hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`),
    reconnect: false,
    timeout: TIMEOUT_MS,
    pingInterval: PING_MS,
    ...(tls === undefined ? {} : { tls: { caFile: tls.ca, certFile: tls.cert, keyFile: tls.key } }),
    ...(password === undefined ? { token: login } : { user: login, pass: password }),
    ...(credentials_file === undefined ? {} : { authenticator: credsAuthenticator(await readFile(credentials_file)) }),
  }
}

const describeError = (error: unknown, subject: string): SinkError => {
  if (error instanceof SinkError) return error
  if (hasCause(error, NoRespondersError)) return new SinkError(`no stream of JetStream has the subject ${subject}`)
  if (error instanceof JetStreamApiError) return new SinkError(`JetStream refuses the event: ${error.message}`)
  if (error instanceof AuthorizationError) return new SinkError('NATS refuses the login of this server')
  if (hasCause(error, PermissionViolationError)) return new SinkError(`this server may not publish to ${subject}`)
  if (error instanceof TimeoutError) return new SinkError('NATS did not answer in time')
  return new SinkError(`NATS cannot be reached (${error instanceof Error ? error.message : String(error)})`)
}

const hasCause = (error: unknown, kind: new (...parameters: never[]) => Error): boolean =>
  error instanceof kind || (error instanceof Error && hasCause(error.cause, kind))
