/**
 * The acknowledgement of an event: a write that carries one moves a named position of its account
 * (decisions/013-a-bot-answers-once.md).
 *
 * 1. The position moves in the transaction of the change. So an event is acknowledged if and only if its answer is
 *    stored, also after the death of a gateway and after a failover.
 * 2. A position only moves forward. Of two writes that acknowledge the same event, through any gateways, the second one
 *    waits for the row of the first, and is rolled back. The row is locked before all others, so the second one holds
 *    no lock while it waits.
 * 3. One commit of a call moves the position: the first. A call that has committed nothing moves it when it is done.
 */
import { errors } from '../../domain/protocol/errors.js'
import type { Db } from '../sql.js'

/** What a write acknowledges. */
export class EventAck {
  readonly user_id: number
  readonly queue_id: string
  /** of the position that belongs to the queue */
  readonly name: string
  readonly event_id: number
  /** the position has moved, or must not: the answer is that of an earlier call */
  isSettled = false

  constructor(user_id: number, queue_id: string, name: string, event_id: number) {
    this.user_id = user_id
    this.queue_id = queue_id
    this.name = name
    this.event_id = event_id
  }
}

/**
 * Moves the position to the event, once (3). Throws EVENT_ALREADY_ACKED, with which its transaction is rolled back (2),
 * and BAD_EVENT_QUEUE_ID if there is no such position any more.
 */
export const storeAck = async (db: Db, realm_id: number, ack: EventAck): Promise<void> => {
  const moved = await db`
    update queue_positions set event_id = ${ack.event_id}, used_at = now()
    where realm_id = ${realm_id} and user_id = ${ack.user_id} and name = ${ack.name} and event_id < ${ack.event_id}`
  if (moved.count === 0) await checkAck(db, realm_id, ack)
}

/**
 * Checks that the event is not acknowledged yet. Throws EVENT_ALREADY_ACKED if the position is at the event or after
 * it, and BAD_EVENT_QUEUE_ID if there is none.
 */
export const checkAck = async (db: Db, realm_id: number, ack: EventAck): Promise<void> => {
  const [position] = await db<{ event_id: number }[]>`
    select event_id from queue_positions
    where realm_id = ${realm_id} and user_id = ${ack.user_id} and name = ${ack.name}`
  if (position === undefined) throw errors.badEventQueueId({ queue_id: ack.queue_id }).asFinal()
  if (position.event_id < ack.event_id) return
  throw errors.eventAlreadyAcked({ queue_id: ack.queue_id, event_id: position.event_id }).asFinal()
}
