/**
 * Which event subscriptions this worker delivers.
 *
 * 1. A subscription is a row with a reservation, as a job is (store/event-subscriptions/deliveries.ts, 1). It is no
 *    job: a job ends, and each event would write one.
 * 2. Each worker looks at intervals for subscriptions that are due. They run in slots, of which an organization gets
 *    only some; one without a slot waits as a row, and those that wait the longest come first.
 * 3. One statement extends the reservations of all subscriptions that this worker delivers.
 */
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type DueSubscription,
  extendReservations,
  findDueRealms,
  findDueSubscriptions,
  releaseSubscription,
  reserveSubscription,
} from '../../store/event-subscriptions/deliveries.js'
import { openSlots } from '../jobs/slots.js'
import { type DeliveryDependencies, deliverEvents } from './deliver-events.js'

/** Each has up to a megabyte of events in memory (deliver-events.ts). */
const SLOTS = { slots: 128, slots_per_realm: 32 }
/** The interval of looking for due subscriptions: events of one that was idle wait so long. */
const SWEEP_MS = 500
const EXTEND_MS = 5_000
/** After an error of this server, such as an unreachable database. */
const ERROR_PAUSE_SECS = 5

/** The deliveries of a worker. */
export interface EventDeliveries {
  /** Begins to look for due subscriptions. */
  start(): void
  /** Begins no further delivery. Resolves when the current ones have ended. */
  stop(): Promise<void>
}

/** Opens the deliveries of a worker. They do nothing until they are started. */
export const openEventDeliveries = (dependencies: DeliveryDependencies): EventDeliveries => {
  const { sql, counts, log } = dependencies
  /** the runs by the id of their reservation */
  const runners = new Set<string>()
  const stop = new AbortController()
  const closed = new AbortController()
  // Each run listens to it.
  setMaxListeners(0, stop.signal)

  const run = async (due: DueSubscription) => {
    const runner = randomUUID()
    let pause = ERROR_PAUSE_SECS
    try {
      const reserved = await reserveSubscription(sql, due, runner)
      if (reserved === undefined) return
      runners.add(runner)
      counts.running += 1
      pause = await deliverEvents(dependencies, reserved, runner, stop.signal)
    } catch (error) {
      log.error({ event_subscription: due.id, err: error }, 'delivering an event subscription failed')
    } finally {
      if (runners.delete(runner)) {
        counts.running -= 1
        // If Postgres is away, the reservation ends by itself.
        await releaseSubscription(sql, due, runner, pause).catch(() => {})
      }
    }
  }
  const slots = openSlots<string>({
    ...SLOTS,
    run: (key) => run(readKey(key)),
    findDue: async (realm_id, limit) =>
      (await findDueSubscriptions(sql, realm_id, limit)).map((due) => ({ id: writeKey(due), realm_id })),
  })

  const sweep = async () => {
    for (const realm_id of await findDueRealms(sql)) slots.wake(realm_id)
  }
  const extend = async () => {
    if (runners.size > 0) await extendReservations(sql, [...runners])
  }
  /** Runs `work` again and again, at intervals between its end and the next begin, until it is ended. */
  const repeat = async (work: () => Promise<void>, ms: number, ended: AbortSignal) => {
    while (!ended.aborted) {
      await sleep(ms, undefined, { signal: ended, ref: false }).catch(() => {})
      if (ended.aborted) return
      // While Postgres is away, the next interval asks again.
      await work().catch((error) => log.debug({ err: error }, 'looking after event subscriptions failed'))
    }
  }
  return {
    start() {
      void repeat(sweep, SWEEP_MS, stop.signal)
      void repeat(extend, EXTEND_MS, closed.signal)
    },
    async stop() {
      stop.abort()
      await slots.close()
      closed.abort()
    },
  }
}

/** A subscription of an organization: after a move between cells, two organizations could have the same id. */
const writeKey = ({ realm_id, id }: DueSubscription): string => `${realm_id}/${id}`

const readKey = (key: string): DueSubscription => {
  const [realm_id, id = ''] = key.split('/')
  return { realm_id: Number(realm_id), id }
}
