/** The hubs of this gateway, one per loaded realm, and the heartbeats that they send to sockets and streams. */
import { setTimeout as sleep } from 'node:timers/promises'
import { advancedSeq } from '../../domain/log/advanced-seq.js'
import { commitEntries } from '../../store/log/change.js'
import type { Realm } from '../../store/log/realm.js'
import { WriteContext, type WriteDependencies } from '../../store/log/write-context.js'
import type { Queues } from '../../store/register/event-queues.js'
import type { Client } from './connected-client.js'
import type { DeliveryCounts } from './delivery-counts.js'
import { Hub } from './hub.js'
import type { PacedSends } from './paced-sends.js'
import { openQueueReaders, type QueueReaders } from './queue-readers.js'

export interface Hubs {
  /**
   * The realm's hub. Created on the first call, which must be in the tick in which the
   * realm loads, so that it misses no entry.
   */
  of(realm: Realm): Hub
  /** Lets go of a realm that left the memory: nothing else would, because the hubs are listed by realm. */
  forget(realm: Realm): void
  /** Closes the client of a queue that was deleted, or that has a newer reader. */
  endReader(queue_id: string, reason: 'queueDeleted' | 'displaced'): void
  /** Which gateway reads a queue. */
  readonly readers: QueueReaders
  /**
   * Closes all clients, some at a time; the close reason tells them to connect again. Those that attach from now on are
   * closed at once. Resolves when all are closed.
   */
  drain(): Promise<void>
  /** Every client of every realm. */
  clients(): Iterable<Client>
  /** connected clients by transport, for the metrics */
  counts(): { sockets: number; streams: number; polls: number }
  /** connected clients by the id of their realm */
  countsByRealm(): Map<number, number>
  close(): void
}

/**
 * Opens the hubs, and starts sending heartbeats.
 * @param heartbeat_ms milliseconds between heartbeats to sockets and streams
 */
export const openHubs = (
  dependencies: WriteDependencies,
  queues: Queues,
  sends: PacedSends,
  heartbeat_ms: number,
  deliveries: DeliveryCounts,
): Hubs => {
  const hubs = new Map<Realm, Hub>()
  let isDraining = false

  const endReader: Hubs['endReader'] = (queue_id, reason) => {
    for (const hub of hubs.values()) hub.endReader(queue_id, reason)
  }
  const readers = openQueueReaders(dependencies.bus, queues, {
    findStart(queue_id) {
      for (const hub of hubs.values()) {
        const start = hub.findReader(queue_id)?.start
        if (start !== undefined) return start
      }
      return undefined
    },
    end: (queue_id) => endReader(queue_id, 'displaced'),
  })
  queues.onFlush(function* () {
    for (const client of clients()) yield client.queue
  })

  const of = (realm: Realm): Hub => {
    let hub = hubs.get(realm)
    if (hub === undefined) {
      hub = new Hub(
        realm,
        sends,
        runExclusively(() => commitEntries(WriteContext.openUnguarded(dependencies, realm), [advancedSeq({})])),
        readers.claim,
        deliveries,
      )
      hubs.set(realm, hub)
      if (isDraining) hub.refuseClients()
    }
    return hub
  }

  function* clients() {
    for (const hub of hubs.values()) yield* hub.clients()
  }

  const beat = () => {
    for (const hub of hubs.values()) {
      hub.forgetUnused()
      if (hub.hasClients()) hub.heartbeat()
    }
  }
  let timer: NodeJS.Timeout | undefined
  // Gateways that start together do not send their heartbeats together.
  const firstBeat = setTimeout(() => {
    timer = setInterval(beat, heartbeat_ms)
    beat()
  }, Math.random() * heartbeat_ms)

  return {
    of,
    forget: (realm) => void hubs.delete(realm),
    endReader,
    readers,
    async drain() {
      isDraining = true
      for (const hub of hubs.values()) hub.refuseClients()
      await spreadDrain([...hubs.values()].flatMap((hub) => [...hub.clients()].map((client) => ({ hub, client }))))
    },
    clients,
    counts() {
      const counts = { sockets: 0, streams: 0, polls: 0 }
      for (const client of clients()) {
        if (client.socket !== undefined) counts.sockets += 1
        else if (client.isPoll === true) counts.polls += 1
        else counts.streams += 1
      }
      return counts
    },
    countsByRealm() {
      const counts = new Map<number, number>()
      for (const { queue } of clients()) counts.set(queue.realm_id, (counts.get(queue.realm_id) ?? 0) + 1)
      return counts
    },
    close() {
      clearTimeout(firstBeat)
      clearInterval(timer)
    },
  }
}

/**
 * The clients that are closed come back at once, to the other gateways. So they are closed at this rate, which a
 * gateway takes over beside its other work, and all of them within MAX_DRAIN_MS.
 */
const DRAINED_PER_SECOND = 1_000
export const MAX_DRAIN_MS = 8_000
const DRAIN_STEP_MS = 50

/** Closes clients at a constant rate. */
const spreadDrain = async (clients: readonly { hub: Hub; client: Client }[]): Promise<void> => {
  const total_ms = Math.min(MAX_DRAIN_MS, (1_000 * clients.length) / DRAINED_PER_SECOND)
  const step = Math.max(1, Math.ceil((clients.length * DRAIN_STEP_MS) / total_ms))
  for (let at = 0; at < clients.length; at += step) {
    if (at > 0) await sleep(DRAIN_STEP_MS)
    for (const { hub, client } of clients.slice(at, at + step)) hub.endClient(client, 'draining')
  }
}

/** A function that runs `work` unless a run is under way. */
const runExclusively = (work: () => Promise<unknown>): (() => void) => {
  let running = false
  return () => {
    if (running) return
    running = true
    work()
      .catch(() => {
        // The next event that needs an id calls again.
      })
      .finally(() => {
        running = false
      })
  }
}
