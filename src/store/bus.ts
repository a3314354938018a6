/**
 * Redis between the replicas: what makes delivery fast, and never what makes it true.
 *
 * 1. Losing a publication, or all of Redis, loses nothing: every replica fills gaps from the log, and asks after the
 *    head of each active realm from time to time.
 * 2. The head of a realm in Redis only rises, and is believed for HEAD_LIFE_MS after a raise. A writer that could not
 *    raise it waits that long before it answers; so no reader can be told a head older than an answered write.
 * 3. Nothing here throws at its caller: Redis that is away is an answer (undefined, false), not an error.
 */
import { Redis, type Result } from 'ioredis'
import type { Entry } from '../domain/entry.js'

/** How long a head in Redis may be believed, in milliseconds. Bounds what a write waits for when Redis is away. */
export const HEAD_LIFE_MS = 1_000

/** What one replica tells the others: entries of the log, or something that no log keeps. */
export type Broadcast =
  | { realm_id: number; entries: Entry[] }
  | { realm_id: number; ephemeral: Ephemeral }
  | { realm_id: number; queue_deleted: string }

/** An event that is never stored: typing, presence. Lost while Redis is away, which is what ephemeral means. */
export interface Ephemeral {
  kind: string
  audience: Entry['audience']
  data: unknown
}

export interface Bus {
  /**
   * Tells the other replicas, and raises the realm's head. Resolves when readers can no longer see an older one.
   * @param since when the commit was begun, as Date.now()
   */
  publishEntries(realm_id: number, entries: readonly Entry[], since: number): Promise<void>
  /** Tells the other replicas something that is not in the log. */
  broadcast(message: Exclude<Broadcast, { entries: Entry[] }>): void
  /** The realm's head as Redis knows it; undefined when it does not, or is away: then Postgres knows. */
  head(realm_id: number): Promise<number | undefined>
  /** Receives what other replicas say of this realm. */
  follow(realm_id: number): void
  unfollow(realm_id: number): void
  /** Whether Redis answers now. */
  isUp(): boolean
  close(): Promise<void>
}

const channelOf = (realm_id: number) => `parley:realm:${realm_id}`
const headKey = (realm_id: number) => `parley:head:${realm_id}`
const freshKey = (realm_id: number) => `parley:fresh:${realm_id}`

// Raises, never lowers: two commits may arrive here in either order.
const raise = `
local known = tonumber(redis.call('get', KEYS[1]) or '0')
if known < tonumber(ARGV[1]) then redis.call('set', KEYS[1], ARGV[1]) end
redis.call('set', KEYS[2], '1', 'px', ARGV[2])
redis.call('publish', ARGV[3], ARGV[4])
return 1`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    parleyRaise(
      head: string,
      fresh: string,
      seq: number,
      life: number,
      channel: string,
      text: string,
    ): Result<number, Context>
  }
}

/** A connection that fails commands at once while Redis is away, and comes back by itself. */
export const openRedis = (redis_url: string): Redis => {
  const redis = new Redis(redis_url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(50 * attempt, 500),
    reconnectOnError: () => true,
    commandTimeout: HEAD_LIFE_MS,
  })
  // Connection errors are states here (isUp), not events of interest one by one.
  redis.on('error', () => {})
  return redis
}

/** Connects. Resolves at once, also while Redis is away. */
export const openBus = (redis_url: string, receive: (message: Broadcast) => void): Bus => {
  const redis = openRedis(redis_url)
  redis.defineCommand('parleyRaise', { numberOfKeys: 2, lua: raise })
  const listener = new Redis(redis_url, {
    autoResubscribe: true,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(50 * attempt, 500),
  })
  listener.on('error', () => {})
  listener.on('message', (_channel: string, text: string) => {
    const { from, ...message } = JSON.parse(text) as Broadcast & { from: string }
    if (from !== me) receive(message as Broadcast)
  })
  const me = crypto.randomUUID()
  const text = (message: object) => JSON.stringify({ from: me, ...message })

  return {
    async publishEntries(realm_id, entries, since) {
      const last = entries.at(-1)
      if (last === undefined) return
      try {
        // A raise that comes late could make an older head believed again: such a writer publishes and waits.
        const late = Date.now() - since > HEAD_LIFE_MS / 2
        const message = text({ realm_id, entries })
        if (!late) {
          await redis.parleyRaise(
            headKey(realm_id),
            freshKey(realm_id),
            last.seq,
            HEAD_LIFE_MS,
            channelOf(realm_id),
            message,
          )
          return
        }
        await redis.publish(channelOf(realm_id), message)
      } catch {
        // Redis is away: the replicas find the entries by themselves (1).
      }
      await new Promise((resolve) => setTimeout(resolve, HEAD_LIFE_MS))
    },
    broadcast(message) {
      redis.publish(channelOf(message.realm_id), text(message)).catch(() => {})
    },
    async head(realm_id) {
      try {
        const [seq, fresh] = await redis.mget(headKey(realm_id), freshKey(realm_id))
        return seq === null || fresh === null ? undefined : Number(seq)
      } catch {
        return undefined
      }
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
