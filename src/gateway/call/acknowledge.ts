/**
 * Calls that acknowledge an event: a write with the parameter `ack` moves the position of its event queue
 * (protocol/events.md 1.14, store/log/event-ack.ts).
 *
 * 1. An endpoint takes an `ack` if all that it changes is one commit. The others refuse it before they do anything.
 * 2. The commit of the call moves the position. A call that has committed nothing moves it when it is done.
 * 3. A call that is refused while the position is at the event or after it is refused as EVENT_ALREADY_ACKED: what it
 *    asks for was mostly done by the answer of another copy of the bot.
 * 4. `once` runs before this step: a call that is repeated with its key has the first answer, and acknowledges nothing.
 */
import { z } from 'zod'
import { toSeq } from '../../domain/log/event-id.js'
import { badEventQueueId } from '../../domain/protocol/aliases.js'
import { ApiError, errors } from '../../domain/protocol/errors.js'
import { checkAck, EventAck, storeAck } from '../../store/log/event-ack.js'
import type { MaybePromise } from '../../store/log/maybe-promise.js'
import type { Queues } from '../../store/register/event-queues.js'
import type { CallRequest } from '../contract/call-request.js'
import type { Caller } from '../contract/caller.js'
import type { Endpoint } from './endpoint.js'
import { declareParams, json, readParams } from './params.js'
import type { Next, Outcome, RunningCall } from './running-call.js'

/** The event that a call acknowledges. */
export const acknowledgedEvent = z.object({
  queue_id: z.string().describe('a queue that was registered with queue_name'),
  event_id: z.int().min(0).describe('the event that a bot answers with the call'),
})

/** The parameter of every endpoint that takes an `ack`. */
export const ackParam = json(acknowledgedEvent).optional()

type AcknowledgedEvent = z.output<typeof acknowledgedEvent>

const declared = declareParams({ ack: ackParam })

/** Whether calls of the endpoint may acknowledge an event (1). */
export const takesAck = (endpoint: Endpoint): boolean => {
  const { method, callers, streams, ignoresKeys = false, commitsInParts = false } = endpoint
  return endpoint.takesAck ?? !(method === 'GET' || callers === 'anyone' || streams || ignoresKeys || commitsInParts)
}

/** Reads the event that a call answers; undefined: it answers none. Throws BAD_REQUEST. */
export const readAck = (request: CallRequest): AcknowledgedEvent | undefined =>
  request.fields.ack === undefined
    ? undefined
    : (readParams(declared, request).values.ack as AcknowledgedEvent | undefined)

/**
 * Step: runs the following steps in a context whose commit moves a position. Throws EVENT_ALREADY_ACKED,
 * BAD_EVENT_QUEUE_ID, and BAD_REQUEST if the endpoint takes no `ack`, or the `ack` names nothing that can be
 * acknowledged.
 */
export const acknowledge = (call: RunningCall, next: Next): MaybePromise<Outcome> =>
  call.request.fields.ack === undefined ? next(call) : runAcknowledged(call, next)

const runAcknowledged = async (call: RunningCall, next: Next): Promise<Outcome> => {
  const { endpoint, caller, write, parts, request } = call
  const given = readAck(request)
  if (given === undefined) return next(call)
  if (!takesAck(endpoint) || caller === undefined || write === undefined) {
    throw errors.ackNotTaken({ method: endpoint.method, path: endpoint.paths[0] }).asFinal()
  }
  const { sql } = parts.dependencies
  const ack = await requireAck(parts.app.store.queues, caller, given)
  call.write = write.withAck(ack)
  let outcome: Outcome
  try {
    outcome = await next(call)
  } catch (error) {
    if (error instanceof ApiError && !ack.isSettled) await checkAck(sql, caller.realm.id, ack)
    throw error
  }
  if (!ack.isSettled) await storeAck(sql, caller.realm.id, ack)
  return outcome
}

/**
 * Returns the acknowledgement that a call asks for. Throws BAD_EVENT_QUEUE_ID, and BAD_REQUEST for a queue without a
 * position and for an event that does not exist yet: it would hide those up to it.
 */
export const requireAck = async (
  queues: Queues,
  { id, client, realm }: Caller,
  { queue_id, event_id }: AcknowledgedEvent,
): Promise<EventAck> => {
  const queue = await queues.find(realm.id, queue_id, id)
  if (queue === undefined) throw badEventQueueId(client, queue_id).asFinal()
  if (queue.position_name === null) throw errors.ackWithoutName().asFinal()
  if (toSeq(event_id) > realm.seq) {
    await realm.barrier()
    if (toSeq(event_id) > realm.seq) throw errors.eventNotInQueue({ last_event_id: event_id }).asFinal()
  }
  return new EventAck(id, queue_id, queue.position_name, event_id)
}
