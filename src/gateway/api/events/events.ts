/**
 * Event queues: reading a queue by long poll or as server-sent events, and deleting it. For WebSockets see
 * sockets/websocket.ts. All three transports use the same queue id, cursor and event JSON
 * (decisions/009-event-queue-is-a-cursor.md).
 */
import { z } from 'zod'
import { badEventQueueId } from '../../../domain/protocol/aliases.js'
import { errors } from '../../../domain/protocol/errors.js'
import { type RawJson, rawMembers } from '../../../domain/protocol/raw-json.js'
import { LogTrimmedError, type QueuedEvent } from '../../../store/events/backlog.js'
import { StaleStateError } from '../../../store/log/log.js'
import { type MaybePromise, thenOrNow } from '../../../store/log/maybe-promise.js'
import type { Queue } from '../../../store/register/event-queues.js'
import { type Call, endpoint, type Streaming, streamed, streaming } from '../../call/endpoint.js'
import { bool, int, type Param, str } from '../../call/params.js'
import { acceptsValue } from '../../contract/header-values.js'
import { PendingAnswer } from '../../contract/pending-answer.js'
import type { HttpExchange } from '../../contract/transport.js'
import { checkCursor } from '../../events/check-cursor.js'
import { poll } from '../../events/poll.js'
import { mayReadQueue } from '../../events/queue-access.js'
import { streamEvents } from '../../events/sse.js'
import { authenticateByTicket } from './stream-tickets.js'

const event = z.looseObject({ id: z.int(), type: z.string() })

export const getEvents = streamed({
  method: 'GET',
  path: '/events',
  summary: 'Reads the events of a queue after a cursor: waits for one, or streams them (Accept: text/event-stream).',
  callers: 'account',
  params: {
    queue_id: str().optional(),
    last_event_id: int()
      .optional()
      .describe('id of the last event that the client processed; the header Last-Event-ID overrides it'),
    dont_block: bool().default(false),
    seen_event_id: int()
      .optional()
      .describe('the answer begins when this gateway has every event up to this id, which the client saw elsewhere'),
    heartbeat_seconds: int({ min: 5, max: 60 })
      .optional()
      .describe('after how many seconds a long poll without an event is answered; from 10 on, up to 9 more are added'),
    ticket: str().optional().describe('of POST /events/ticket, for a stream without an Authorization header'),
  },
  authenticate: authenticateByTicket,
  example: { queue_id: '{queue_id}', last_event_id: '{last_event_id}', dont_block: true },
  response: z.object({ events: z.array(event), queue_id: z.string() }),
  errors: [errors.badEventQueueId, errors.serverBusy],
  rateLimit: 'events',
  headers: ['accept', 'last-event-id', 'upgrade'],
  // No barrier: reading waits only if this replica has not applied the cursor yet (checkCursor, loadBacklog).
  barrier: false,
  handle(call, exchange) {
    const { app, caller, realm, params, request } = call
    const { queue_id } = params
    // uWebSockets does not take a handshake without a key of 24 characters for one. Its client does not expect a poll.
    if (exchange.header('upgrade').toLowerCase() === 'websocket') throw errors.invalidHandshake()
    const isStream = acceptsValue(exchange.header('accept'), 'text/event-stream')
    if (request.fields.ticket !== undefined && request.authorization === '' && !isStream) {
      throw errors.ticketOnlyForStreams()
    }
    if (queue_id === undefined) throw errors.missing({ var_name: 'queue_id' })
    const given = parseLastEventId(exchange.header('last-event-id')) ?? params.last_event_id
    if (given === undefined) throw errors.missing({ var_name: 'last_event_id' })

    return thenOrNow(app.store.queues.find(realm.id, queue_id, caller.id), (queue) => {
      if (queue === undefined || !mayReadQueue(caller.apiKey, queue)) throw badEventQueueId(caller.client, queue_id)
      const read = (last_event_id: number): MaybePromise<RawJson | PendingAnswer | Streaming> =>
        isStream ? stream(call, exchange, queue, last_event_id) : waitForEvents(call, exchange, queue, last_event_id)
      if (params.seen_event_id === undefined) return thenOrNow(checkCursor(realm, queue, given), read)
      return thenOrNow(checkCursor(realm, queue, params.seen_event_id), () =>
        thenOrNow(checkCursor(realm, queue, given), read),
      )
    })
  },
})

export const deleteEvents = endpoint({
  method: 'DELETE',
  path: '/events',
  summary: 'Deletes an event queue, and ends the poll that waits on it.',
  callers: 'account',
  keyScope: 'read',
  takesAck: false,
  params: { queue_id: str() },
  example: { queue_id: '{queue_id}' },
  response: z.object({}),
  errors: [errors.badEventQueueId],
  async handle({ app, caller, realm, params: { queue_id } }) {
    const removed = await app.store.queues.remove(realm.id, queue_id, caller.id)
    if (!removed) throw errors.badEventQueueId({ queue_id })
    return {}
  },
})

/** The cursor of a browser that resumes a stream; undefined: the header is absent, or not a number. */
const parseLastEventId = (header: string): number | undefined => {
  const parsed = header === '' ? Number.NaN : Number.parseInt(header, 10)
  return Number.isNaN(parsed) ? undefined : parsed
}

/** A call that reads a queue. */
type Reading = Pick<
  Call<{ dont_block: Param<boolean>; heartbeat_seconds: Param<number | undefined> }>,
  'app' | 'caller' | 'realm' | 'params'
>

/** @returns a function that throws the error of a read, as the client gets it */
const refuse =
  ({ caller }: Reading, queue: Queue) =>
  (error: unknown): never => {
    throw error instanceof LogTrimmedError ? badEventQueueId(caller.client, queue.id) : error
  }

const stream = (call: Reading, exchange: HttpExchange, queue: Queue, last_event_id: number): Promise<Streaming> => {
  const { app, caller, realm } = call
  return streamEvents(exchange, {
    sql: app.store.sql,
    realm,
    hub: app.hubs.of(realm),
    queue,
    key_version: caller.user.key_version,
    session_id: caller.session?.id,
    api_key_id: caller.apiKey?.id,
    last_event_id,
  }).then(() => streaming, refuse(call, queue))
}

const waitForEvents = (call: Reading, exchange: HttpExchange, queue: Queue, last_event_id: number) => {
  const { app, caller, realm, params } = call
  const pending = new PendingAnswer()
  // Not composed by spreading: that takes a tenth of the whole call.
  const events = poll({
    sql: app.store.sql,
    realm,
    hub: app.hubs.of(realm),
    queue,
    key_version: caller.user.key_version,
    session_id: caller.session?.id,
    api_key_id: caller.apiKey?.id,
    last_event_id,
    dont_block: params.dont_block,
    heartbeat_ms:
      params.heartbeat_seconds === undefined ? app.config.POLL_HEARTBEAT_MS : params.heartbeat_seconds * 1_000,
    exchange,
    answer: (later) => pending.settle(composeEvents(queue, later)),
    runAgain: () => pending.settle(new StaleStateError()),
  })
  const answer = (found: readonly QueuedEvent[] | undefined) =>
    found === undefined ? pending : composeEvents(queue, found)
  return events instanceof Promise ? events.then(answer, refuse(call, queue)) : answer(events)
}

/** The fields of the answer. The queue's id is a UUID, so it needs no escapes. */
const composeEvents = (queue: Queue, events: readonly QueuedEvent[]): RawJson =>
  rawMembers([`"events":[${events.map((event) => event.json).join()}]`, `"queue_id":"${queue.id}"`])
