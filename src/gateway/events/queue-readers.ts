/**
 * Which gateway reads a queue. A queue has one reader in all gateways: the newest one (protocol/events.md 1.7).
 *
 * 1. A gateway claims a queue when a client begins to wait for its events, unless the gateway made the last claim. So
 *    a client that stays with its gateway costs nothing.
 * 2. Redis delivers all claims to all gateways in one order, also to their senders. A gateway that receives the claim
 *    of another one after its own closes its client. If two polls begin at the same moment, exactly one stays.
 * 3. Claims are published together, CLAIM_DELAY_MS after the first of them. A lost claim leaves two readers until the
 *    next claim or event: both receive every event, so nothing is lost.
 * 4. A claim is dropped if its client is gone by then. A client that gave up while this gateway was busy has often
 *    connected to another gateway meanwhile, and its abandoned connection must not close the one that it reads.
 * 5. A client that leaves and comes back while the claim of the gateway in between is still on its way finds its first
 *    gateway without a claim to make (1). So a claim says when its client began to read, and a gateway whose client
 *    began later claims again instead of closing it. The clocks of two gateways differ, therefore only a client that
 *    began less than MAX_CLAIM_TRANSIT_MS ago is kept in this way.
 */
import type { Bus, QueuesRead } from '../../store/log/bus.js'
import type { Queue, Queues } from '../../store/register/event-queues.js'

export interface QueueReaders {
  /** Makes this gateway the reader of the queue. Called before a client waits for its events. */
  claim(queue: Queue): void
  /** Receives the claim of a gateway. */
  receive(claim: QueuesRead): void
}

/** Long enough for the gateway to notice that a connection was closed before: several passes of the event loop. */
const CLAIM_DELAY_MS = 20

/** More than a claim is on its way through a busy Redis, and less than a broken connection stays unnoticed. */
const MAX_CLAIM_TRANSIT_MS = 5_000

/** The clients of a gateway, by the queues that they read. */
export interface LocalReaders {
  /** When the client of this queue began to read it, as Date.now(); undefined: no client of this gateway reads it. */
  findStart(queue_id: string): number | undefined
  /** Closes the client that reads this queue. */
  end(queue_id: string): void
}

/** Opens the readers of a gateway. */
export const openQueueReaders = (
  bus: Pick<Bus, 'publish'>,
  queues: Pick<Queues, 'served'>,
  local: LocalReaders,
): QueueReaders => {
  const by = crypto.randomUUID()
  /** The claims up to this one came back. A queue that was created here has the claim 1, which is not published. */
  let delivered = 1
  let next = 2
  let collected: Queue[] = []

  const publish = () => {
    const claims = new Map<number, { queue_ids: string[]; starts: number[] }>()
    for (const queue of collected) {
      const start = local.findStart(queue.id)
      if (start === undefined) {
        queue.claim = 0
        continue
      }
      const claim = claims.get(queue.realm_id) ?? { queue_ids: [], starts: [] }
      claims.set(queue.realm_id, claim)
      claim.queue_ids.push(queue.id)
      claim.starts.push(start)
    }
    for (const [realm_id, claim] of claims) bus.publish({ realm_id, queues_read: { by, claim: next, ...claim } })
    collected = []
    next += 1
  }

  const claim: QueueReaders['claim'] = (queue) => {
    if (queue.claim > 0) return
    queue.claim = next
    // After a pause of the process the timer fires before the closed connections are seen; setImmediate comes after.
    if (collected.length === 0) setTimeout(() => setImmediate(publish), CLAIM_DELAY_MS).unref()
    collected.push(queue)
  }

  return {
    claim,
    receive(received) {
      if (received.by === by) {
        delivered = Math.max(delivered, received.claim)
        return
      }
      for (const [i, id] of received.queue_ids.entries()) {
        const queue = queues.served(id)
        if (queue === undefined || queue.claim > delivered) continue
        queue.claim = 0
        const start = local.findStart(id)
        if (start === undefined) continue
        const isNewer = start > (received.starts?.[i] ?? Infinity) && Date.now() - start < MAX_CLAIM_TRANSIT_MS
        if (isNewer) claim(queue)
        else local.end(id)
      }
    },
  }
}
