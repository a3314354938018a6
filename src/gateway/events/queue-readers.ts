/**
 * Which gateway reads a queue. A queue has one reader in all gateways: the newest one (events.md 1.7).
 *
 * 1. A gateway claims a queue when a client begins to wait for its events, unless the gateway made the last claim. So
 *    a client that stays with its gateway costs nothing.
 * 2. Redis delivers all claims to all gateways in one order, also to their senders. A gateway that receives the claim
 *    of another one after its own closes its client. If two polls begin at the same moment, exactly one stays.
 * 3. Claims are published together, CLAIM_DELAY_MS after the first of them. A lost claim leaves two readers until the
 *    next claim or event: both receive every event, so nothing is lost.
 * 4. A claim is dropped if its client is gone by then. A client that gave up while this gateway was busy has often
 *    connected to another gateway meanwhile, and its abandoned connection must not close the one that it reads.
 */
import type { Bus, QueuesRead } from '../../store/log/bus.js'
import type { Queue, Queues } from '../../store/register/event-queues.js'

export interface QueueReaders {
  /**
   * Makes this gateway the reader of the queue. Called before a client waits for its events.
   * @param isRead whether a client of this gateway still reads the queue (4)
   */
  claim(queue: Queue, isRead: () => boolean): void
  /** Receives the claim of a gateway. */
  receive(claim: QueuesRead): void
}

/** Long enough for the gateway to notice that a connection was closed before: several passes of the event loop. */
const CLAIM_DELAY_MS = 20

interface CollectedClaim {
  queue: Queue
  isRead(): boolean
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
  let collected: CollectedClaim[] = []

  const publish = () => {
    const idsByRealm = new Map<number, string[]>()
    for (const { queue, isRead } of collected) {
      if (!isRead()) {
        queue.claim = 0
        continue
      }
      const ids = idsByRealm.get(queue.realm_id)
      if (ids === undefined) idsByRealm.set(queue.realm_id, [queue.id])
      else ids.push(queue.id)
    }
    for (const [realm_id, queue_ids] of idsByRealm) {
      bus.publish({ realm_id, queues_read: { by, claim: next, queue_ids } })
    }
    collected = []
    next += 1
  }

  return {
    claim(queue, isRead) {
      if (queue.claim > 0) return
      queue.claim = next
      if (collected.length === 0) setTimeout(publish, CLAIM_DELAY_MS).unref()
      collected.push({ queue, isRead })
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
