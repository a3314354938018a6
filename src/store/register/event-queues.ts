/**
 * Registrations of event queues: the user, profile and start position of a cursor. A queue holds no events.
 *
 * 1. A Postgres table holds them, so clients do not notice that Redis loses its data or that Postgres crashes. A queue
 *    also outlives an outage that is longer than its lifespan: a row is valid until the collector deletes it, and after
 *    an outage the collector waits until all gateways have written back which queues are in use.
 * 2. Each process caches the queues it serves. One statement at intervals extends the life of all used queues and
 *    returns which of them still exist; the bus reports a deletion to the other replicas at once.
 * 3. An account has at most `max_queues_per_user` queues, so also at most as many connections. A registration deletes
 *    the queue that was not used for the longest time; its client registers again if it still exists.
 * 4. The queues of many clients that come from another gateway are read together (queue-rows.ts).
 * 5. No two statements wait for each other's rows: one that locks several rows locks them in the order of their ids, or
 *    leaves out the rows that others have locked.
 */
import { limits } from '../../domain/limits/limits.js'
import { type Profile, profileKey } from '../../domain/log/profile.js'
import type { Bus } from '../log/bus.js'
import type { MaybePromise } from '../log/maybe-promise.js'
import type { Db, Fragment, Sql } from '../sql.js'
import { createQueueRowReader } from './queue-rows.js'

export interface Queue {
  id: string
  realm_id: number
  user_id: number
  /** interned: equal profiles are one object */
  profile: Profile
  /** the log position of the part of its snapshot that comes from memory: its events begin after it */
  state_seq: number
  /** the log position of the part that comes from Postgres: the snapshot contains content entries up to it */
  content_seq: number
  lifespan_secs: number
  /** the position that acknowledgements of its events move (queue-positions.ts); null: it has none */
  position_name: string | null
  /** with which claim this process became the reader of the queue (gateway/events/queue-readers.ts); 0: it is not */
  claim: number
  /** when it was used since its use was last written back, as performance.now(); 0: it was not */
  usedAt: number
}

/** What a process knows of a queue, beside its row. */
type Known = 'claim' | 'usedAt'

/** A queue whose database part has not been read yet. */
export type NewQueue = Omit<Queue, 'content_seq' | Known>

export interface Queues {
  create(queue: Omit<Queue, 'id' | Known>): Promise<Queue>
  /**
   * Caches a queue whose row was written by `insertQueue`.
   * @param evicted ids of the queues that were deleted for it
   */
  keep(queue: Omit<Queue, Known>, evicted: readonly string[]): void
  /**
   * The queue, if it exists and belongs to this user; undefined otherwise. Counts as use. Throws SERVER_BUSY and
   * OverloadError.
   */
  find(realm_id: number, id: string, user_id: number): MaybePromise<Queue | undefined>
  /** The queue, if this process serves it. */
  served(id: string): Queue | undefined
  /** @returns whether there was such a queue of this user */
  remove(realm_id: number, id: string, user_id: number): Promise<boolean>
  /** Deletes all queues of these users. */
  removeAll(realm_id: number, user_ids: readonly number[]): Promise<void>
  /** Removes a queue that another replica deleted from the cache. */
  forget(id: string): void
  /** Adds a function that lists the queues to which clients are connected: they are in use. */
  onFlush(listConnected: () => Iterable<Queue>): void
  onRemoved(listener: (id: string) => void): void
  /** Writes back which queues are in use. */
  flush(): Promise<void>
  close(): Promise<void>
}

/**
 * Composes the statement that writes a queue's row. It reads a table `content` with the `seq` of the queue's database
 * part.
 * May be repeated.
 */
export const insertQueue = (sql: Db, queue: NewQueue): Fragment => sql`
  insert into event_queues (
    realm_id, id, user_id, profile, state_seq, content_seq, lifespan_secs, position_name, expires_at
  )
  select ${queue.realm_id}, ${queue.id}, ${queue.user_id}, ${profileKey(queue.profile)}, ${queue.state_seq}, content.seq,
    ${queue.lifespan_secs}, ${queue.position_name}, now() + make_interval(secs => ${secondsToLive(queue)})
  from content
  on conflict (realm_id, id) do update set state_seq = excluded.state_seq, content_seq = excluded.content_seq`

/**
 * Composes the statement that deletes the account's queues beyond the limit. It returns their ids (3). It leaves out
 * rows that are locked (5): these are in use, or are being deleted by another registration. Two registrations at the
 * same time as a flush can see different orders, and together delete a few queues more: a lock that serializes them
 * would make every registration wait, and the clients of such queues register again.
 */
export const evictQueues = (sql: Db, { realm_id, user_id }: Pick<Queue, 'realm_id' | 'user_id'>): Fragment => sql`
  delete from event_queues where realm_id = ${realm_id} and id = any(array(
    select id from event_queues where realm_id = ${realm_id} and id = any(array(
      select id from event_queues where realm_id = ${realm_id} and user_id = ${user_id}
      order by expires_at - make_interval(secs => greatest(lifespan_secs, ${MIN_LIFE_SECS})) desc
      offset ${limits.max_queues_per_user - 1}
    )) for update skip locked
  )) returning id`

/**
 * A queue lives for its lifespan after its last use, and less than a minute longer (protocol/events.md 1.8). Its use is
 * written back late, that of queues with a long lifespan once a minute, and a queue that is in use must not expire
 * between two flushes. Each flush of a minute writes another sixth of them: the rows of all clients in one statement
 * would occupy Postgres and the gateways at the same moment.
 */
const FLUSH_MS = 10_000
const FLUSHES_PER_MINUTE = 6
/** Queues that one statement writes back: a few milliseconds. */
const QUEUES_PER_STATEMENT = 500
const LONG_LIFE_SECS = 150
const MIN_LIFE_SECS = 25
/** How often the collector runs. */
export const COLLECT_MS = 15_000

const secondsToLive = ({ lifespan_secs }: { lifespan_secs: number }) => Math.max(lifespan_secs, MIN_LIFE_SECS)
const isLongLived = ({ lifespan_secs }: Queue) => lifespan_secs >= LONG_LIFE_SECS
/** In which flush of a minute a queue with a long lifespan is written back. */
const flushOf = ({ id }: Queue) => Number.parseInt(id.slice(0, 8), 16) % FLUSHES_PER_MINUTE
/** The claim of a queue that this process created: it is its first reader. */
const FIRST_CLAIM = 1

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Opens the queues of this process, and writes back at intervals which are in use. */
export const openQueues = (sql: Sql, bus: Bus): Queues => {
  const known = new Map<string, Queue>()
  const removalListeners = new Set<(id: string) => void>()
  let listConnected: () => Iterable<Queue> = () => []
  const readRow = createQueueRowReader(sql)

  const use = (queue: Queue) => {
    queue.usedAt = performance.now()
  }

  const drop = (id: string) => {
    if (known.delete(id)) for (const listener of removalListeners) listener(id)
  }

  const keep = (queue: Queue) => {
    known.set(queue.id, queue)
    use(queue)
  }

  /** Tells this process and the other replicas that these queues do not exist any more. */
  const announceRemoved = (realm_id: number, ids: readonly string[]) => {
    for (const id of ids) {
      drop(id)
      bus.publish({ realm_id, queue_deleted: id })
    }
  }

  const load = async (realm_id: number, id: string, user_id: number): Promise<Queue | undefined> => {
    const row = await readRow({ realm_id, id, user_id })
    if (row === undefined) return undefined
    // Another call may have read the row meanwhile: the claim is that of one object.
    const queue = known.get(row.id) ?? composeQueue(row.id, row.profile, row, 0)
    keep(queue)
    return queue
  }

  /** Writes back when these queues were used. */
  const writeBack = async (queues: readonly Queue[]) => {
    const flushed = queues.map((queue) => ({ queue, at: queue.usedAt }))
    for (const queue of queues) queue.usedAt = 0
    const ids = queues.map(({ id }) => id)
    const realm_ids = [...new Set(queues.map(({ realm_id }) => realm_id))]
    const now = performance.now()
    const idle = flushed.map(({ at }) => (now - at) / 1000)
    const alive = await sql<{ id: string }[]>`
      with locked as materialized (
        select realm_id, id from event_queues where realm_id = any(${realm_ids}) and id = any(${ids}::uuid[])
        order by id for update
      )
      update event_queues q
      set expires_at = greatest(
        expires_at, now() + make_interval(secs => greatest(lifespan_secs, ${MIN_LIFE_SECS}) - u.idle)
      )
      from locked join unnest(${ids}::uuid[], ${idle}::float8[]) as u (id, idle) using (id)
      where q.realm_id = locked.realm_id and q.id = locked.id
      returning q.id`.catch((error: unknown) => {
      for (const { queue, at } of flushed) if (queue.usedAt === 0) queue.usedAt = at
      throw error
    })
    const living = new Set(alive.map((row) => row.id))
    for (const id of ids) if (!living.has(id)) drop(id)
  }

  /** Writes back the use of these queues, and forgets those that were not used since the last time. */
  const flushWhere = async (isIncluded: (queue: Queue) => boolean) => {
    const now = performance.now()
    for (const { id } of listConnected()) {
      const queue = known.get(id)
      if (queue !== undefined && isIncluded(queue)) queue.usedAt = now
    }
    const included = [...known.values()].filter(isIncluded)
    const flushed = included.filter(({ usedAt }) => usedAt !== 0)
    for (let i = 0; i < flushed.length; i += QUEUES_PER_STATEMENT) {
      await writeBack(flushed.slice(i, i + QUEUES_PER_STATEMENT))
    }
    const current = new Set(flushed)
    // A queue that was not used since the last flush leaves the cache; its next use reads the row again.
    for (const queue of included) if (!current.has(queue) && queue.usedAt === 0) known.delete(queue.id)
  }
  let flushes = 0
  const timer = setInterval(() => {
    flushes += 1
    const turn = flushes % FLUSHES_PER_MINUTE
    flushWhere((queue) => !isLongLived(queue) || flushOf(queue) === turn).catch(() => {})
  }, FLUSH_MS)
  const flush = () => flushWhere(() => true)

  return {
    async create(queue) {
      const id = crypto.randomUUID()
      const evicted = await sql<{ id: string }[]>`
        with opened as (
          insert into event_queues (
            realm_id, id, user_id, profile, state_seq, content_seq, lifespan_secs, position_name, expires_at
          )
          values (
            ${queue.realm_id}, ${id}, ${queue.user_id}, ${profileKey(queue.profile)}, ${queue.state_seq},
            ${queue.content_seq}, ${queue.lifespan_secs}, ${queue.position_name},
            now() + make_interval(secs => ${secondsToLive(queue)})
          )
        ), evicted as (${evictQueues(sql, queue)})
        select id from evicted`
      const created = composeQueue(id, profileKey(queue.profile), queue, FIRST_CLAIM)
      keep(created)
      announceRemoved(
        queue.realm_id,
        evicted.map((row) => row.id),
      )
      return created
    },
    keep(queue, evicted) {
      keep(composeQueue(queue.id, profileKey(queue.profile), queue, FIRST_CLAIM))
      announceRemoved(queue.realm_id, evicted)
    },
    find(realm_id, id, user_id) {
      const cached = known.get(id)
      if (cached === undefined) return uuid.test(id) ? load(realm_id, id, user_id) : undefined
      if (cached.user_id !== user_id || cached.realm_id !== realm_id) return undefined
      use(cached)
      return cached
    },
    async remove(realm_id, id, user_id) {
      if (!uuid.test(id)) return false
      const removed = await sql`
        delete from event_queues where realm_id = ${realm_id} and id = ${id} and user_id = ${user_id}`
      if (removed.count === 0) return false
      announceRemoved(realm_id, [id])
      return true
    },
    async removeAll(realm_id, user_ids) {
      const removed = await sql<{ id: string }[]>`
        with locked as materialized (
          select id from event_queues where realm_id = ${realm_id} and user_id = any(${user_ids as number[]})
          order by id for update
        )
        delete from event_queues q using locked where q.realm_id = ${realm_id} and q.id = locked.id
        returning q.id`
      announceRemoved(
        realm_id,
        removed.map(({ id }) => id),
      )
    },
    forget: drop,
    served: (id) => known.get(id),
    onFlush(list) {
      listConnected = list
    },
    onRemoved: (listener) => void removalListeners.add(listener),
    flush,
    async close() {
      clearInterval(timer)
      await flush().catch(() => {})
    },
  }
}

/** Gateways write back which queues are in use within this many milliseconds after an outage. */
const WRITTEN_BACK_MS = 2 * FLUSH_MS * FLUSHES_PER_MINUTE

/**
 * Deletes the registrations that were not used for their lifespan. The caller calls the returned function regularly.
 * While Postgres was away, no gateway could write back which queues are in use: after an outage, and after the start,
 * it first waits for that. It does not wait for queues that were used since then: Postgres has answered all the time.
 * @returns a function that collects, and answers how many were deleted
 */
export const openQueueCollector = (sql: Db): ((now: number) => Promise<number>) => {
  let answersSince: number | undefined
  const collect = async (now: number) => {
    if (answersSince === undefined) {
      await sql`select`
      answersSince = now
      return 0
    }
    const areWrittenBack = now - answersSince >= WRITTEN_BACK_MS
    const deleted = await sql`
      with locked as materialized (
        select realm_id, id from event_queues
        where expires_at <= now() and (
          ${areWrittenBack} or expires_at - make_interval(secs => greatest(lifespan_secs, ${MIN_LIFE_SECS}))
            >= now() - make_interval(secs => ${(now - answersSince) / 1_000})
        )
        for update skip locked
      )
      delete from event_queues q using locked where q.realm_id = locked.realm_id and q.id = locked.id`
    return deleted.count
  }
  return (now) =>
    collect(now).catch((error: unknown) => {
      answersSince = undefined
      throw error
    })
}

/** Lists each property: objects spread from rows and from registrations would differ in hidden class. */
const composeQueue = (
  id: string,
  profile: string,
  input: Omit<Queue, 'id' | 'profile' | Known>,
  claim: number,
): Queue => ({
  id,
  realm_id: input.realm_id,
  user_id: input.user_id,
  profile: internProfile(profile),
  state_seq: input.state_seq,
  content_seq: input.content_seq,
  lifespan_secs: input.lifespan_secs,
  position_name: input.position_name,
  claim,
  usedAt: 0,
})

const profiles = new Map<string, WeakRef<Profile>>()
const unusedProfiles = new FinalizationRegistry<string>((key) => {
  if (profiles.get(key)?.deref() === undefined) profiles.delete(key)
})

/**
 * Returns one object for all equal profiles. Keys are canonical, so equal stored texts give the same object. The
 * reference is weak: clients choose the text, so a profile must not outlive its last queue.
 */
export const internProfile = (key: string): Profile => {
  const known = profiles.get(key)?.deref()
  if (known !== undefined) return known
  const profile = JSON.parse(key) as Profile
  profiles.set(key, new WeakRef(profile))
  unusedProfiles.register(profile, key)
  return profile
}
