/**
 * The realms that this process serves: it finds them by name, loads each one
 * once, and applies the entries of their logs.
 *
 * 1. The process subscribes to a realm on the bus before it loads it. A publication before Redis handled the
 *    subscription is found like any lost one (2).
 * 2. The anti-entropy check finds a lost publication that no later one revealed: at each interval it reads the heads
 *    of all loaded realms from Postgres in one query.
 * 3. A realm that no request used for a while is removed from memory, with all that it owns; the next request loads it
 *    again.
 */

import type { Deployment } from '../../domain/deployment/deployment.js'
import type { EntryKinds } from '../../domain/log/entry-kind.js'
import type { Sql } from '../sql.js'
import { type EntryTraces, now, type Tracing } from '../tracing.js'
import type { Broadcast, Bus, QueuesRead } from './bus.js'
import { LogCounts } from './counts.js'
import { createHeadReader } from './heads.js'
import { loadHeads } from './log.js'
import type { MaybePromise } from './maybe-promise.js'
import { loadRealm, type Realm } from './realm.js'
import { openStructureLocks } from './structure-lock.js'

/** How long an unused realm stays in memory, in milliseconds. */
const IDLE_MS = 30 * 60_000

/** The realms in the memory of this process. */
export interface Realms {
  /** The realm of this name; undefined when there is none. */
  find(string_id: string): MaybePromise<Realm | undefined>
  get(realm_id: number): MaybePromise<Realm | undefined>
  loaded(): IterableIterator<Realm>
  /** what the writes and reads of all realms cost */
  readonly counts: LogCounts
  receive(message: Broadcast): void
  close(): void
}

/** What a process does with its realms. */
export interface RealmsOptions {
  /** every kind of entry that the log may hold */
  kinds: EntryKinds
  deployment: Deployment
  anti_entropy_ms: number
  /** runs once for each realm that comes into memory */
  onLoad?(realm: Realm): void
  /** runs when a realm leaves the memory: the process drops what it holds for the realm */
  onUnload?(realm: Realm): void
  /** milliseconds after which a realm that nobody uses leaves the memory */
  idle_ms?: number
  onQueueDeleted?(queue_id: string): void
  /** receives the claims of all processes; absent: this process reads no queues */
  onQueuesRead?(claim: QueuesRead): void
  /** connections for waiting for structure locks */
  structureLockSql: Sql
  /** absent: nothing is traced */
  tracing?: Tracing | undefined
  /** receives errors of listeners */
  report?(error: unknown): void
}

/** Serves realms out of Postgres and the bus. */
export const openRealms = (sql: Sql, bus: Bus, options: RealmsOptions): Realms => {
  const realms = new Map<number, Realm>()
  const report = (error: unknown) => options.report?.(error)
  const dependencies = {
    sql,
    readHead: createHeadReader(sql),
    structureLocks: openStructureLocks(options.structureLockSql),
    kinds: options.kinds,
    deployment: options.deployment,
    counts: new LogCounts(),
    tracing: options.tracing,
    report,
  }
  const loading = new Map<number, Promise<Realm | undefined>>()
  const ids = new Map<string, number>()

  const load = async (realm_id: number): Promise<Realm | undefined> => {
    bus.follow(realm_id)
    const realm = await loadRealm(dependencies, realm_id)
    if (realm === undefined) {
      bus.unfollow(realm_id)
      return undefined
    }
    realms.set(realm_id, realm)
    options.onLoad?.(realm)
    await realm.catchUp()
    return realm
  }

  const get = (realm_id: number): MaybePromise<Realm | undefined> => {
    const known = realms.get(realm_id)
    if (known !== undefined && (loading.size === 0 || !loading.has(realm_id))) {
      known.usedAt = Date.now()
      known.uses += 1
      return known
    }
    let pending = loading.get(realm_id)
    if (pending === undefined) {
      pending = load(realm_id).finally(() => loading.delete(realm_id))
      loading.set(realm_id, pending)
    }
    return pending
  }

  const check = async () => {
    const now = Date.now()
    for (const realm of realms.values()) {
      if (now - realm.usedAt > (options.idle_ms ?? IDLE_MS) && !realm.isWatched()) {
        realms.delete(realm.id)
        bus.unfollow(realm.id)
        realm.unload()
        options.onUnload?.(realm)
      }
    }
    const heads = await loadHeads(sql, [...realms.keys()])
    await Promise.all(
      [...heads].map(([id, head]) => ((realms.get(id)?.seq ?? head) < head ? realms.get(id)?.catchUp() : undefined)),
    )
  }
  let checking = false
  const timer = setInterval(() => {
    if (checking || realms.size === 0) return
    checking = true
    // While Postgres is away, the next interval asks again.
    check()
      .catch(() => {})
      .finally(() => {
        checking = false
      })
  }, options.anti_entropy_ms)

  const lookUp = async (string_id: string): Promise<Realm | undefined> => {
    const [row] = await sql<{ id: number }[]>`select id from realms where string_id = ${string_id}`
    ids.delete(string_id)
    if (row === undefined) return undefined
    ids.set(string_id, row.id)
    return get(row.id)
  }

  return {
    get,
    find(string_id) {
      const id = ids.get(string_id)
      if (id === undefined) return lookUp(string_id)
      // An operator may have freed the name, or the organization may be in another cell.
      const known = get(id)
      if (known instanceof Promise)
        return known.then((realm) => (hasName(realm, string_id) ? realm : lookUp(string_id)))
      return hasName(known, string_id) ? known : lookUp(string_id)
    },
    loaded: () => realms.values(),
    counts: dependencies.counts,
    receive(message) {
      if ('queue_deleted' in message) return options.onQueueDeleted?.(message.queue_deleted)
      if ('queues_read' in message) return options.onQueuesRead?.(message.queues_read)
      const realm = realms.get(message.realm_id)
      if (realm === undefined) return
      if ('entries' in message) {
        // The clocks of two machines may differ.
        realm.transitMs = Math.max(0, Date.now() - (message.sent_at ?? Date.now()))
        if (message.traces !== undefined && options.tracing !== undefined)
          realm.expectTraced(recordTransit(options.tracing, message.traces, message.sent_at))
        realm.receive(message.entries)
        realm.transitMs = 0
      } else realm.receiveEphemeral(message.ephemeral)
    },
    close: () => clearInterval(timer),
  }
}

/** Records how long entries were on the bus. @returns the parents of the spans that follow */
const recordTransit = (tracing: Tracing, traces: EntryTraces, sent_at: number | undefined): EntryTraces => {
  const received = now()
  // The clocks of two machines may differ.
  const sent = Math.min(sent_at ?? received, received)
  return Object.fromEntries(
    Object.entries(traces).map(([seq, parent]) => [seq, tracing.record(parent, 'bus', sent, received)]),
  )
}

const hasName = (realm: Realm | undefined, string_id: string): boolean => realm?.state.realm.string_id === string_id
