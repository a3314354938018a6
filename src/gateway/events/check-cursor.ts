/** Checks the cursor that a client sends as `last_event_id`. */

import { eventId, toSeq } from '../../domain/log/event-id.js'
import { errors } from '../../domain/protocol/errors.js'
import type { MaybePromise } from '../../store/log/maybe-promise.js'
import type { Realm } from '../../store/log/realm.js'
import type { Queue } from '../../store/register/event-queues.js'

/**
 * Checks the cursor from which a client reads a queue.
 * @param last_event_id -1 means the beginning of the queue, as clients of Zulip servers send it
 * @returns the event id after which reading starts
 * Throws BAD_REQUEST for a cursor before the beginning or beyond the end of the log (protocol/events.md 1.6).
 */
export const checkCursor = (realm: Realm, queue: Queue, last_event_id: number): MaybePromise<number> => {
  const beginning = eventId(queue.state_seq)
  if (last_event_id === -1) return beginning
  if (last_event_id < beginning) {
    throw errors.eventPruned({ last_event_id })
  }
  return toSeq(last_event_id) > realm.seq ? checkAfterBarrier(realm, last_event_id) : last_event_id
}

const checkAfterBarrier = async (realm: Realm, last_event_id: number): Promise<number> => {
  await realm.barrier()
  if (toSeq(last_event_id) > realm.seq) throw errors.eventNotInQueue({ last_event_id })
  return last_event_id
}
