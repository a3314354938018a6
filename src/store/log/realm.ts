/**
 * Realm: one realm as this process knows it, kept up with its log.
 *
 * 1. Entries are applied strictly in seq order.
 *    An entry that arrives early waits; missing entries are read from Postgres.
 * 2. `barrier` resolves when everything that was committed before the call is applied here: what is read afterwards
 *    is at least as new as any write already answered, through whichever replica
 *    (decisions/004-no-barrier-in-redis.md).
 * 3. `state` at `seq` is exact, so a write permitted on it and guarded with `seq` cannot rest on a stale permission.
 * 4. The ring keeps the latest entries for cursors that are a little behind; older ones are in Postgres. A realm that
 *    was just loaded has none: the first client that is behind lets it read them, and the others find them there. So
 *    the clients of a whole gateway cost one that has just started a few statements, and not some for each client.
 * 5. What a part of the program holds for a realm, such as a cache, belongs to the realm (`own`): it is counted, and
 *    forgotten when the realm leaves the memory.
 */
import type { Deployment } from '../../domain/deployment/deployment.js'
import type { Entry } from '../../domain/log/entry.js'
import type { EntryKinds } from '../../domain/log/entry-kind.js'
import { type OwnedKey, OwnedValues } from '../../domain/log/owned-values.js'
import type { RealmState } from '../../domain/log/state.js'
import type { Sql } from '../sql.js'
import { type EntryTraces, now, type Tracing } from '../tracing.js'
import type { Ephemeral } from './bus.js'
import type { LogCounts } from './counts.js'
import type { ReadHead } from './heads.js'
import { loadEntriesAfter } from './log.js'
import { loadState } from './row-tables.js'
import type { StructureLocks } from './structure-lock.js'

/** The number of latest entries that the ring keeps (4). */
const RING_ENTRIES = 8_192
/** Entries per query. */
const PAGE = 2_000
/** Entries by which the ring is extended at a time: decoding them takes some milliseconds. */
const RING_PAGE = 1_000
/** Milliseconds that an early entry waits for its predecessor before the missing entries are read from Postgres. */
const GAP_GRACE_MS = 8

/** Receives what happens in a realm: the hub of a gateway, for example. */
export interface RealmListener {
  /** Called after the entry's rows were applied. */
  entry(entry: Entry): void
  /** Called for an event that is not stored. @returns the id under which its clients get it */
  ephemeral(event: Ephemeral): number | undefined
  /** whether it has clients now */
  hasClients(): boolean
}

/** An entry whose delivery is traced. */
export interface TracedEntry {
  /** the traceparent of the span that led to it */
  parent: string
  /** when this process received it (store/tracing.ts) */
  received: number
}

/** The parts of the process that a realm uses. */
export interface RealmDependencies {
  sql: Sql
  readHead: ReadHead
  structureLocks: StructureLocks
  kinds: EntryKinds
  deployment: Deployment
  counts: LogCounts
  /** undefined: nothing is traced */
  tracing: Tracing | undefined
  /** receives the errors of listeners */
  report(error: unknown): void
}

/** One realm in the memory of this process. */
export class Realm {
  readonly id: number
  readonly state: RealmState
  readonly kinds: EntryKinds
  /** shared by all realms of the process */
  readonly counts: LogCounts
  /** undefined: nothing is traced */
  readonly tracing: Tracing | undefined
  readonly ring: Entry[] = []
  /** when a request last used this realm, as Date.now() */
  usedAt = Date.now()
  /** how many requests and jobs of this process used this realm */
  uses = 0
  /** how long the entries that are being applied took from the process that committed them, in milliseconds */
  transitMs = 0
  /** seq of the last structural change applied here */
  structureSeq: number

  readonly #sql: Sql
  readonly #readHead: ReadHead
  readonly #structureLocks: StructureLocks
  readonly #report: (error: unknown) => void
  readonly #ownedValues = new OwnedValues()
  readonly #early = new Map<number, Entry>()
  readonly #traced = new Map<number, TracedEntry>()
  readonly #listeners = new Set<RealmListener>()
  readonly #waiting: { seq: number; resolve: () => void }[] = []
  #filling: Promise<void> | undefined
  #extending: Promise<boolean> | undefined

  constructor(state: RealmState, { sql, readHead, structureLocks, kinds, counts, tracing, report }: RealmDependencies) {
    this.id = state.realm.id
    this.state = state
    this.kinds = kinds
    this.counts = counts
    this.tracing = tracing
    this.structureSeq = state.seq
    this.#sql = sql
    this.#readHead = readHead
    this.#structureLocks = structureLocks
    this.#report = report
  }

  get seq(): number {
    return this.state.seq
  }

  /** The oldest seq after which the ring is complete. */
  get ringStart(): number {
    return this.seq - this.ring.length
  }

  /** What a part of the program holds for this realm, under its key (5). */
  own<Value extends object>(key: OwnedKey<Value>, create: () => NoInfer<Value>): Value {
    return this.#ownedValues.get(key, create)
  }

  /** Adds how many things are held for this realm and its state, by the names of the keys (5). */
  countOwned(totals: Map<string, number>): void {
    this.#ownedValues.countInto(totals)
    this.state.ownedValues.countInto(totals)
  }

  /** Forgets what was held for this realm, which leaves the memory (5). A call that still runs makes what it needs. */
  unload(): void {
    this.#ownedValues.clear()
    this.state.ownedValues.clear()
  }

  listen(listener: RealmListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Whether clients are connected: such a realm stays in memory. */
  isWatched(): boolean {
    for (const listener of this.#listeners) if (listener.hasClients()) return true
    return false
  }

  /** Takes entries from a commit of this process or from the bus, in any order and any number of times. */
  receive(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.seq === this.seq + 1) this.#apply(entry)
      else if (entry.seq > this.seq) this.#early.set(entry.seq, entry)
    }
    this.#applyEarly()
    if (this.#early.size > 0) void this.#fillGap()
  }

  /** Notes which of the entries that are received next are traced. @param parents the traceparents by seq */
  expectTraced(parents: EntryTraces): void {
    for (const [seq, parent] of Object.entries(parents)) {
      if (Number(seq) > this.seq) this.#traced.set(Number(seq), { parent, received: now() })
    }
  }

  /** The trace of the entry that is being applied; undefined: it is not traced. */
  findTrace(seq: number): TracedEntry | undefined {
    return this.#traced.size === 0 ? undefined : this.#traced.get(seq)
  }

  /** @returns the id under which the clients of this process get it */
  receiveEphemeral(event: Ephemeral): number | undefined {
    let event_id: number | undefined
    for (const listener of this.#listeners) {
      this.#runListener(() => {
        event_id = listener.ephemeral(event) ?? event_id
      })
    }
    return event_id
  }

  /** Applies everything that Postgres has by now. Used after StaleStateError, and by the anti-entropy check. */
  async catchUp(): Promise<void> {
    for (;;) {
      const from = this.seq
      const entries = await loadEntriesAfter(this.#sql, this.id, from, PAGE)
      this.receive(entries)
      if (entries.length < PAGE) return
    }
  }

  /** Resolves when everything committed before the call is applied here (2). */
  async barrier(): Promise<void> {
    const began = performance.now()
    const head = await this.#readHead(this.id)
    if (head > this.seq) await this.waitForSeq(head)
    this.counts.barriers.add((performance.now() - began) / 1000)
  }

  /** Resolves when `seq` is applied here. */
  waitForSeq(seq: number): Promise<void> {
    if (this.seq >= seq) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiting.push({ seq, resolve })
      void this.#fillGap()
    })
  }

  /** Extends the ring to the entries after `seq`, if it may hold so many, and Postgres has them all (4). */
  async extendRing(seq: number): Promise<void> {
    while (seq < this.ringStart && this.seq - seq <= RING_ENTRIES) {
      this.#extending ??= this.#readOlderEntries(seq).finally(() => {
        this.#extending = undefined
      })
      if (!(await this.#extending)) return
    }
  }

  /** Runs `work` under the structure lock, with everything applied that was committed before (structure-lock.ts). */
  withStructureLock<T>(work: () => Promise<T>): Promise<T> {
    return this.#structureLocks.run(this.id, (seq) => this.waitForSeq(seq), work)
  }

  /** Puts the entries after `seq`, or a page of them, before those of the ring. @returns whether Postgres had all */
  async #readOlderEntries(seq: number): Promise<boolean> {
    const end = this.ringStart
    const after = Math.max(seq, end - RING_PAGE)
    const entries = await loadEntriesAfter(this.#sql, this.id, after, end - after)
    const isWhole = entries.length === end - after && entries.at(-1)?.seq === end
    // Meanwhile the ring may have been cut.
    if (isWhole && this.ringStart === end) this.ring.unshift(...entries)
    return isWhole
  }

  #apply(entry: Entry): void {
    for (const change of entry.rows ?? []) this.state.apply(change)
    if (entry.rows !== undefined) this.structureSeq = entry.seq
    this.state.seq = entry.seq
    // A newer release may have written an entry of an unknown kind. Its rows were applied nevertheless.
    this.kinds.get(entry.kind)?.updateState?.(entry.data, this.state, entry.seq)
    this.ring.push(entry)
    // Cut in bulk: shifting one by one would move the whole array for every entry.
    if (this.ring.length > RING_ENTRIES * 1.25) this.ring.splice(0, this.ring.length - RING_ENTRIES)
    for (const listener of this.#listeners) this.#runListener(() => listener.entry(entry))
    if (this.#traced.size > 0) this.#traced.delete(entry.seq)
    if (this.#waiting.length > 0) this.#resolveWaiting()
  }

  /** Runs a listener. An error that it throws is reported, and does not stop the log. */
  #runListener(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#report(error)
    }
  }

  #applyEarly(): void {
    for (let next = this.#early.get(this.seq + 1); next !== undefined; next = this.#early.get(this.seq + 1)) {
      this.#early.delete(next.seq)
      this.#apply(next)
    }
    if (this.#early.size > 0) for (const seq of this.#early.keys()) if (seq <= this.seq) this.#early.delete(seq)
  }

  #resolveWaiting(): void {
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      const waiter = this.#waiting[i]
      if (waiter !== undefined && waiter.seq <= this.seq) {
        this.#waiting.splice(i, 1)
        waiter.resolve()
      }
    }
  }

  /** Waits GAP_GRACE_MS for the missing publication, then reads the missing entries from Postgres. */
  #fillGap(): Promise<void> {
    this.#filling ??= new Promise<void>((resolve) => setTimeout(resolve, GAP_GRACE_MS))
      .then(() => (this.#early.size > 0 || this.#waiting.length > 0 ? this.catchUp() : undefined))
      .catch(() => {
        // Postgres is unreachable: the anti-entropy check reads the entries later.
      })
      .then(() => {
        this.#filling = undefined
        if (this.#waiting.length > 0 || this.#early.size > 0) void this.#fillGap()
      })
    return this.#filling
  }
}

/** Loads a realm from Postgres; undefined when there is none. */
export const loadRealm = async (dependencies: RealmDependencies, realm_id: number): Promise<Realm | undefined> => {
  const read = 'isolation level repeatable read read only'
  const state = await dependencies.sql.begin(read, (tx) => loadState(tx, dependencies.deployment, realm_id))
  return state === undefined ? undefined : new Realm(state, dependencies)
}
