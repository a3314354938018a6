/**
 * Delivers events to an HTTP address, one request for each, signed in the form of Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 *
 * 1. A status from 200 to 299 confirms the event; 410 ends the subscription; every other one is a failure. Redirects
 *    are not followed.
 * 2. The signature covers the id, the time of the attempt and the body. While a secret is replaced, both sign.
 */
import { createHmac } from 'node:crypto'
import type { Deliver } from '../../../store/outgoing/outgoing-http.js'
import { type EventSink, type OpenSink, SinkError, type SinkEvent } from './event-sink.js'

const PREFIX = 'whsec_'

/** The header that proves who sent an event: one signature for each secret. */
export const signEvent = (secrets: readonly string[], { id, timestamp, body }: SinkEvent): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')

/** Opens sinks that deliver over HTTP. */
export const openHttpSinks =
  (deliver: Deliver): OpenSink =>
  ({ address, secrets }): EventSink => ({
    maxBatch: 1,
    async deliver(batch, signal) {
      for (const event of batch) await post(deliver, address, secrets, event, signal)
    },
    async close() {},
  })

const post = async (
  deliver: Deliver,
  url: string,
  secrets: readonly string[],
  event: SinkEvent,
  signal: AbortSignal,
): Promise<void> => {
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': String(event.timestamp),
    'webhook-signature': signEvent(secrets, event),
  }
  const answer = await deliver(url, { headers, body: event.body, signal }).catch((error: unknown) => {
    throw new SinkError(error instanceof Error ? error.message : String(error))
  })
  if (answer.status >= 200 && answer.status < 300) return
  const reason = answer.status === 410 ? 'gone' : 'transient'
  const asked = parseRetryAfter(answer.headers['retry-after'], Date.now())
  throw new SinkError(`the server answered with status ${answer.status}`, reason, asked)
}

/** The seconds of a Retry-After header, which has seconds or a date. */
const parseRetryAfter = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1_000
  return Number.isNaN(seconds) || seconds < 0 ? undefined : seconds
}
