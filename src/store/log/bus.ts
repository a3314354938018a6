/**
 * The bus: Redis between the replicas. It makes delivery fast; correctness does not depend on it.
 *
 * 1. A lost publication, or the loss of all of Redis, loses no entry: every replica fills gaps from the log, and reads
 *    the head of each active realm from Postgres at intervals.
 * 2. No request waits for Redis: a write is answered after its commit in Postgres, and a read asks Postgres for the
 *    head (heads.ts). So a slow, unreachable or empty Redis makes no answer late or stale.
 * 3. No function of the bus throws: an unreachable Redis is a state, not an error.
 */
import { createHash } from 'node:crypto'
import { compactRowChanges, expandRowChanges } from '../../domain/log/compact-row-changes.js'
import type { Entry } from '../../domain/log/entry.js'
import type { RowChange } from '../../domain/log/row-changes.js'
import { openListener, openRedis } from '../redis.js'
import type { EntryTraces } from '../tracing.js'

/** A publication to the other replicas: entries of the log, or an event that is not stored. */
export type Broadcast =
  /** `sent_at`: when it was published, as Date.now(); set by the bus. `traces`: the entries that are traced */
  | { realm_id: number; entries: readonly Entry[]; sent_at?: number; traces?: EntryTraces | undefined }
  | { realm_id: number; ephemeral: Ephemeral }
  | { realm_id: number; queue_deleted: string }
  | { realm_id: number; queues_read: QueuesRead }

/** A process became the reader of these queues (gateway/events/queue-readers.ts). */
export interface QueuesRead {
  /** a name of the process */
  by: string
  /** greater than that of all earlier claims of the process */
  claim: number
  queue_ids: readonly string[]
  /** when the reader of each queue began, as Date.now() of the process; absent: the process runs an older version */
  starts?: readonly number[]
}

/** An event that is never stored: typing, presence. Other replicas do not get it while Redis is away. */
export interface Ephemeral {
  kind: string
  audience: Entry['audience']
  data: unknown
  /** its id in the gateway that announced it; other gateways continue from there, so that their ids are nearly equal */
  event_id?: number
}

/** The bus of a process. */
export interface Bus {
  /** Publishes to the other replicas. They find a lost publication by themselves (1). */
  publish(message: Broadcast): void
  /** Subscribes to the publications about this realm. */
  follow(realm_id: number): void
  unfollow(realm_id: number): void
  /** Whether Redis answers now. */
  isUp(): boolean
  /** Why Redis does not answer, in the words of the driver; undefined: it does. */
  findProblem(): string | undefined
  close(): Promise<void>
}

const channelOf = (realm_id: number) => `parley:realm:${realm_id}`

/** Connects. Resolves at once, also while Redis is away. */
export const openBus = (redis_url: string, receive: (message: Broadcast) => void): Bus => {
  const redis = openRedis(redis_url)
  const listener = openListener(redis_url)
  let lastError = 'it does not answer'
  redis.on('error', (error: Error) => {
    lastError = error.message
  })
  const processId = crypto.randomUUID()
  // The prefix tells this process's own publications, which are not parsed.
  const ownPrefix = `{"from":"${processId}"`
  listener.on('message', (_channel: string, text: string) => {
    if (!text.startsWith(ownPrefix)) receive(withRows(JSON.parse(text) as Broadcast, expandRowChanges))
  })

  return {
    publish(message) {
      // The sender receives its claims too, because their order decides.
      const from = 'queues_read' in message ? {} : { from: processId }
      const text = JSON.stringify({ ...from, sent_at: Date.now(), ...withRows(message, compactRowChanges) })
      redis.publish(channelOf(message.realm_id), text).catch(() => {})
    },
    follow(realm_id) {
      listener.subscribe(channelOf(realm_id)).catch(() => {})
    },
    unfollow(realm_id) {
      listener.unsubscribe(channelOf(realm_id)).catch(() => {})
    },
    isUp: () => redis.status === 'ready',
    findProblem: () => (redis.status === 'ready' ? undefined : lastError),
    async close() {
      redis.disconnect()
      listener.disconnect()
    },
  }
}

/**
 * The same with the rows of its entries in another form: compact, as in the log, or expanded (compact-row-changes.ts).
 */
const withRows = (message: Broadcast, form: (rows: readonly RowChange[]) => readonly RowChange[]): Broadcast => {
  if (!('entries' in message) || message.entries.every(({ rows }) => rows === undefined)) return message
  const entries = message.entries.map((entry) =>
    entry.rows === undefined ? entry : { ...entry, rows: form(entry.rows) },
  )
  return { ...message, entries }
}

/** One script that Redis runs, on a connection of its own. */
export interface Script {
  isReady(): boolean
  /** Throws while Redis does not answer, and when the script takes longer than the timeout. */
  run(keys: readonly string[], values: readonly number[]): Promise<unknown>
  remove(keys: readonly string[]): Promise<unknown>
  ping(): Promise<unknown>
  close(): void
}

/** Opens a connection for one script. @param timeout_ms bounds each run */
export const openScript = (redis_url: string, source: string, timeout_ms: number): Script => {
  const redis = openRedis(redis_url, timeout_ms)
  const sha = createHash('sha1').update(source).digest('hex')
  let isKnown = false
  // A restarted Redis does not have the script.
  redis.on('ready', () => {
    isKnown = false
  })
  return {
    isReady: () => redis.status === 'ready',
    async run(keys, values) {
      if (isKnown) return redis.evalsha(sha, keys.length, ...keys, ...values)
      const answer = await redis.eval(source, keys.length, ...keys, ...values)
      isKnown = true
      return answer
    },
    remove: (keys) => redis.del(...keys),
    ping: () => redis.ping(),
    close: () => redis.disconnect(),
  }
}
