/** Delivers events to a sink as the runner of a subscription does: in order, and each until it is delivered. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventSink, SinkEvent } from '../../src/workers/event-subscriptions/sinks/event-sink.js'
import type { Random } from '../setup/random.js'

/** Composes the events of one subscription. */
export const composeEvents = (number: number, subscription_id: string = randomUUID()): SinkEvent[] =>
  Array.from({ length: number }, (_, i) => ({
    id: `evt_${subscription_id}_${i + 1}`,
    type: 'message',
    realm_id: 1,
    subscription_id,
    timestamp: 1_800_000_000 + i,
    body: JSON.stringify({ number: i + 1 }),
  }))

/**
 * Delivers events in batches of random sizes. A failed batch comes again, cut differently.
 * @param onBatch is called with the number of delivered events
 * @returns how many attempts failed
 */
export const deliverAll = async (
  sink: EventSink,
  events: readonly SinkEvent[],
  random: Random,
  onBatch: (delivered: number) => void = () => {},
): Promise<number> => {
  let failures = 0
  for (let at = 0; at < events.length; ) {
    const batch = events.slice(at, at + random.integer(1, 10))
    try {
      await sink.deliver(batch, AbortSignal.timeout(20_000))
      at += batch.length
      onBatch(at)
    } catch {
      failures++
      await sleep(100)
    }
  }
  return failures
}
