/**
 * Which gateway reads a queue. A queue has one reader in all gateways: the newest one (events.md 1.7).
 *
 * 1. A gateway claims a queue when a client begins to wait for its events, unless the gateway made the last claim. So
 *    a client that stays with its gateway costs nothing.
 * 2. Redis delivers all claims to all gateways in one order, also to their senders. A gateway that receives the claim
 *    of another one after its own closes its client. If two polls begin at the same moment, exactly one stays.
 * 3. The claims of one tick are one publication. A lost claim leaves two readers until the next claim or event: both
 *    receive every event, so nothing is lost.
 */
import type { Bus, QueuesRead } from '../../store/log/bus.js'
import type { Queue, Queues } from '../../store/register/event-queues.js'

export interface QueueReaders {
  /** Makes this gateway the reader of the queue. Called before a client waits for its events. */
  claim(queue: Queue): void
  /** Receives the claim of a gateway. */
  receive(claim: QueuesRead): void
}

/** Opens the readers of a gateway. @param end closes the client that reads a queue here */
export const openQueueReaders = (
  bus: Pick<Bus, 'publish'>,
  queues: Pick<Queues, 'served'>,
  end: (queue_id: string) => void,
): QueueReaders => {
  const by = crypto.randomUUID()
  /** The claims up to this one came back. A queue that was created here has the claim 1, which is not published. */
  let delivered = 1
  let next = 2
  const collected = new Map<number, string[]>()

  const publish = () => {
    for (const [realm_id, queue_ids] of collected)
      bus.publish({ realm_id, queues_read: { by, claim: next, queue_ids } })
    collected.clear()
    next += 1
  }

  return {
    claim(queue) {
      if (queue.claim > 0) return
      queue.claim = next
      if (collected.size === 0) setImmediate(publish)
      const ids = collected.get(queue.realm_id)
      if (ids === undefined) collected.set(queue.realm_id, [queue.id])
      else ids.push(queue.id)
    },
    receive(claim) {
      if (claim.by === by) {
        delivered = Math.max(delivered, claim.claim)
        return
      }
      for (const id of claim.queue_ids) {
        const queue = queues.served(id)
        if (queue === undefined || queue.claim > delivered) continue
        queue.claim = 0
        end(id)
      }
    },
  }
}
