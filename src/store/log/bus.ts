/**
 * Redis between the replicas: what makes delivery fast, and never what makes it true.
 *
 * 1. Losing a publication, or all of Redis, loses nothing: every replica fills gaps from the log, and asks after the
 *    head of each active realm from time to time.
 * 2. Nobody waits for Redis: a write is answered when Postgres has it, and a read asks Postgres how far it must be
 *    (heads.ts). So Redis that is slow, cut off or empty can make no answer late or stale.
 * 3. Nothing here throws at its caller: Redis that is away is a state, not an error.
 */
import { createHash } from 'node:crypto'
import { compactRowChanges, expandRowChanges } from '../../domain/log/compact-row-changes.js'
import type { Entry } from '../../domain/log/entry.js'
import type { RowChange } from '../../domain/log/row-changes.js'
import { openListener, openRedis } from '../redis.js'

/** What one replica tells the others: entries of the log, or something that no log keeps. */
export type Broadcast =
  | { realm_id: number; entries: readonly Entry[] }
  | { realm_id: number; ephemeral: Ephemeral }
  | { realm_id: number; queue_deleted: string }

/** An event that is never stored: typing, presence. Lost while Redis is away, which is what ephemeral means. */
export interface Ephemeral {
  kind: string
  audience: Entry['audience']
  data: unknown
  /** the id that it has where it was announced; the others count on from there, so that all count nearly alike */
  event_id?: number
}

export interface Bus {
  /** Tells the other replicas. What is lost on the way they find by themselves (1). */
  publish(message: Broadcast): void
  /** Receives what other replicas say of this realm. */
  follow(realm_id: number): void
  unfollow(realm_id: number): void
  /** Whether Redis answers now. */
  isUp(): boolean
  close(): Promise<void>
}

const channelOf = (realm_id: number) => `parley:realm:${realm_id}`

/** Connects. Resolves at once, also while Redis is away. */
export const openBus = (redis_url: string, receive: (message: Broadcast) => void): Bus => {
  const redis = openRedis(redis_url)
  const listener = openListener(redis_url)
  const me = crypto.randomUUID()
  // Known by its beginning, so that hearing oneself costs no parsing.
  const mine = `{"from":"${me}"`
  listener.on('message', (_channel: string, text: string) => {
    if (!text.startsWith(mine)) receive(withRows(JSON.parse(text) as Broadcast, expandRowChanges))
  })

  return {
    publish(message) {
      const text = JSON.stringify({ from: me, ...withRows(message, compactRowChanges) })
      redis.publish(channelOf(message.realm_id), text).catch(() => {})
    },
    follow(realm_id) {
      listener.subscribe(channelOf(realm_id)).catch(() => {})
    },
    unfollow(realm_id) {
      listener.unsubscribe(channelOf(realm_id)).catch(() => {})
    },
    isUp: () => redis.status === 'ready',
    async close() {
      redis.disconnect()
      listener.disconnect()
    },
  }
}

/** The same with the rows of its entries in another form: folded, they are what the log has (compact-row-changes.ts). */
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
  /** Throws while Redis is away, and when it takes longer than the patience. */
  run(keys: readonly string[], values: readonly number[]): Promise<unknown>
  remove(keys: readonly string[]): Promise<unknown>
  ping(): Promise<unknown>
  close(): void
}

/** @param patience milliseconds */
export const openScript = (redis_url: string, source: string, patience: number): Script => {
  const redis = openRedis(redis_url, patience)
  const sha = createHash('sha1').update(source).digest('hex')
  let isKnown = false
  // Redis that starts anew has forgotten it.
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
