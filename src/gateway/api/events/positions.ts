/**
 * The named positions of an account: acknowledging an event that needs no answer, and listing and deleting positions.
 * A write acknowledges the event that it answers with `ack` (call/acknowledge.ts). `POST /register` with `queue_name`
 * creates a position, and begins to read there.
 *
 * Source: protocol/events.md 1.14.
 */
import { z } from 'zod'
import { limits } from '../../../domain/limits/limits.js'
import { errors } from '../../../domain/protocol/errors.js'
import { storeAck } from '../../../store/log/event-ack.js'
import { loadPositions, deletePosition as removePosition } from '../../../store/register/queue-positions.js'
import { requireAck } from '../../call/acknowledge.js'
import { endpoint } from '../../call/endpoint.js'
import { int, str } from '../../call/params.js'

export const acknowledgeEvent = endpoint({
  method: 'POST',
  path: '/events/ack',
  summary: 'Acknowledges an event that needs no answer, and with it every event before it.',
  callers: 'account',
  keyScope: 'read',
  isFrequent: true,
  ignoresKeys: true,
  params: {
    queue_id: str().describe('a queue that was registered with queue_name'),
    event_id: int({ min: 0 }),
  },
  example: { queue_id: '{named_queue_id}', event_id: '{newest_event_id}' },
  response: z.object({}),
  errors: [errors.badEventQueueId, errors.eventAlreadyAcked],
  async handle({ app, caller, realm, params }) {
    await storeAck(app.store.sql, realm.id, await requireAck(app.store.queues, caller, params))
    return {}
  },
})

export const getPositions = endpoint({
  method: 'GET',
  path: '/events/positions',
  summary: 'Lists the named positions of the caller.',
  callers: 'account',
  params: {},
  response: z.object({
    positions: z.array(
      z.object({
        queue_name: z.string(),
        event_id: z.int().describe('the last event that was acknowledged'),
        last_used: z.int().describe('UNIX seconds of the last registration or acknowledgement'),
      }),
    ),
  }),
  handle: async ({ app, caller, realm }) => ({ positions: await loadPositions(app.store.sql, realm.id, caller.id) }),
})

export const deletePosition = endpoint({
  method: 'DELETE',
  path: '/events/positions',
  summary: 'Deletes a named position: the next registration with the name begins at the end of the log.',
  callers: 'account',
  keyScope: 'read',
  takesAck: false,
  params: { queue_name: str({ min: 1, max: limits.max_queue_name_length }) },
  example: { queue_name: '{queue_name}' },
  response: z.object({}),
  errors: [errors.noSuchPosition],
  async handle({ app, caller, realm, params: { queue_name } }) {
    const found = await removePosition(app.store.sql, { realm_id: realm.id, user_id: caller.id, name: queue_name })
    if (!found) throw errors.noSuchPosition({ queue_name })
    return {}
  },
})
