/**
 * Event queues: reading a queue by long poll or as server-sent events, and deleting it. For WebSockets see
 * sockets/websocket.ts. All three transports use the same queue id, cursor and event JSON (DESIGN section 6).
 */
import { z } from 'zod'
import { badEventQueueId } from '../../../domain/protocol/aliases.js'
import { errors } from '../../../domain/protocol/errors.js'
import { rawMembers } from '../../../domain/protocol/raw-json.js'
import { StaleStateError } from '../../../store/log/log.js'
import { LogTrimmedError, type QueuedEvent } from '../../events/backlog.js'
import { checkCursor } from '../../events/check-cursor.js'
import { poll } from '../../events/poll.js'
import { streamEvents } from '../../events/sse.js'
import { endpoint, streamed, streaming } from '../../http/endpoint.js'
import { acceptsValue } from '../../http/header-values.js'
import { bool, int, str } from '../../http/params.js'
import { PendingAnswer } from '../../http/pending-answer.js'
import { authenticateByTicket } from './stream-tickets.js'

const event = z.looseObject({ id: z.int(), type: z.string() })

export const getEvents = streamed({
  method: 'GET',
  path: '/events',
  summary: 'Reads the events of a queue after a cursor: waits for one, or streams them (Accept: text/event-stream).',
  access: 'account',
  params: {
    queue_id: str().optional(),
    last_event_id: int()
      .optional()
      .describe('id of the last event that the client processed; the header Last-Event-ID overrides it'),
    dont_block: bool().default(false),
    ticket: str().optional().describe('of POST /events/ticket, for a stream without an Authorization header'),
  },
  authenticate: authenticateByTicket,
  response: z.object({ events: z.array(event), queue_id: z.string() }),
  errors: [errors.badEventQueueId],
  rateLimit: 'events',
  headers: ['accept', 'last-event-id'],
  // No barrier: reading waits only if this replica has not applied the cursor yet (checkCursor, loadBacklog).
  barrier: false,
  async handle({ app, caller, realm, params, request }, exchange) {
    const { queue_id, dont_block } = params
    const isStream = acceptsValue(exchange.header('accept'), 'text/event-stream')
    if (request.fields.ticket !== undefined && request.authorization === '' && !isStream) {
      throw errors.ticketOnlyForStreams()
    }
    if (queue_id === undefined) throw errors.missing({ var_name: 'queue_id' })
    const resumed = Number.parseInt(exchange.header('last-event-id'), 10)
    const given = Number.isNaN(resumed) ? params.last_event_id : resumed
    if (given === undefined) throw errors.missing({ var_name: 'last_event_id' })

    const { sql, queues } = app.store
    const queue = await queues.find(realm.id, queue_id, caller.id)
    const makeUnknownQueueError = () => badEventQueueId(caller.client, queue_id)
    if (queue === undefined) throw makeUnknownQueueError()
    const last_event_id = await checkCursor(realm, queue, given)
    const hub = app.hubs.of(realm)
    const { key_version } = caller.user
    const session_id = caller.session?.id
    const refuse = (error: unknown): never => {
      throw error instanceof LogTrimmedError ? makeUnknownQueueError() : error
    }
    if (isStream) {
      await streamEvents(exchange, { sql, realm, hub, queue, key_version, session_id, last_event_id }).catch(refuse)
      return streaming
    }
    const { POLL_HEARTBEAT_MS: heartbeat_ms } = app.config
    const compose = (events: readonly QueuedEvent[]) =>
      // The id is a UUID, so it needs no escapes.
      rawMembers([`"events":[${events.map((event) => event.json).join()}]`, `"queue_id":"${queue.id}"`])
    const pending = new PendingAnswer()
    const events = await poll({
      sql,
      realm,
      hub,
      queue,
      key_version,
      session_id,
      last_event_id,
      dont_block,
      heartbeat_ms,
      exchange,
      answer: (later) => pending.settle(compose(later)),
      runAgain: () => pending.settle(new StaleStateError()),
    }).catch(refuse)
    return events === undefined ? pending : compose(events)
  },
})

export const deleteEvents = endpoint({
  method: 'DELETE',
  path: '/events',
  summary: 'Deletes an event queue, and ends the poll that waits on it.',
  access: 'account',
  params: { queue_id: str() },
  response: z.object({}),
  errors: [errors.badEventQueueId],
  async handle({ app, caller, realm, params: { queue_id } }) {
    const removed = await app.store.queues.remove(realm.id, queue_id, caller.id)
    if (!removed) throw errors.badEventQueueId({ queue_id })
    return {}
  },
})
