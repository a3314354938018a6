/**
 * The bus: Redis between the replicas. It makes delivery fast; correctness does not depend on it.
 *
 * 1. A lost publication, or the loss of all of Redis, loses no entry: every replica fills gaps from the log, and reads
 *    the head of each active realm from Postgres at intervals.
 * 2. No request waits for Redis: a write is answered after its commit in Postgres, and a read asks Postgres for the
 *    head (heads.ts). So a slow, unreachable or empty Redis makes no answer late or stale.
 * 3. No function of the bus throws: an unreachable Redis is a state, not an error.
 *
 * 4. Channels have the scope of the deployment in their name, and publications at their begin: those of others, with
 *    which the deployment may share a Redis, are neither received nor believed (redis-scope.ts).
 *
 * In a Redis Cluster, publications are sharded (SPUBLISH): only the nodes that serve the slot of a realm's channel
 * carry them, so the cluster carries more publications with more nodes. Ordinary ones would go to all nodes.
 */
import { createHash } from 'node:crypto'
import { compactRowChanges, expandRowChanges } from '../../domain/log/compact-row-changes.js'
import type { Entry } from '../../domain/log/entry.js'
import type { RowChange } from '../../domain/log/row-changes.js'
import { type Cluster, openRedis, type Redis } from '../redis.js'
import { watchCluster } from '../redis-cluster.js'
import type { Scope } from '../redis-scope.js'
import { openShardedSubscriber, type Subscriber } from '../sharded-subscriber.js'
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
  /** Why Redis, or a part of the cluster, cannot be used; undefined: it can. */
  findProblem(): string | undefined
  /** What an operator should repair though Redis can be used. */
  findWarning(): string | undefined
  close(): Promise<void>
}

/** The channel of a realm. */
export const channelOf = (scope: string, realm_id: number): string => `${scope}:realm:${realm_id}`

/**
 * Connects. Resolves at once, also while Redis is away.
 * @param scope while it is not known, nothing is published or received (1)
 */
export const openBus = (redis_url: string, scope: Scope, receive: (message: Broadcast) => void): Bus => {
  const redis = openRedis(redis_url)
  let lastError = 'it does not answer'
  redis.on('error', (error: Error) => {
    lastError = error.message
  })
  const processId = crypto.randomUUID()
  const followed = new Set<number>()
  // The prefixes tell the publications of this deployment, and this process's own, which are not parsed.
  let [scopePrefix, ownPrefix] = ['', '']
  const receiveText = (text: string) => {
    if (scopePrefix === '' || !text.startsWith(scopePrefix) || text.startsWith(ownPrefix)) return
    receive(withRows(JSON.parse(text) as Broadcast, expandRowChanges))
  }
  const refusals = openRefusals()
  const { publish, subscriber, cluster } = redis.isCluster
    ? openCluster(redis_url, redis as Cluster, receiveText)
    : openSingle(redis as Redis, receiveText, refusals)
  scope.onKnown((name) => {
    scopePrefix = `{"of":"${name}",`
    ownPrefix = `${scopePrefix}"from":"${processId}"`
    for (const realm_id of followed) subscriber.subscribe(channelOf(name, realm_id))
  })
  const findProblem = () => (redis.status === 'ready' ? cluster?.findProblem() : lastError)

  return {
    publish(message) {
      if (scope.name === undefined) return
      const [of, sent_at] = [scope.name, Date.now()]
      // The sender receives its claims too, because their order decides.
      const text =
        'queues_read' in message
          ? JSON.stringify({ of, ...message, sent_at })
          : JSON.stringify({ of, from: processId, sent_at, ...withRows(message, compactRowChanges) })
      publish(channelOf(of, message.realm_id), text).then(refusals.forgetPublish, refusals.keepPublish)
    },
    follow(realm_id) {
      followed.add(realm_id)
      if (scope.name !== undefined) subscriber.subscribe(channelOf(scope.name, realm_id))
    },
    unfollow(realm_id) {
      followed.delete(realm_id)
      if (scope.name !== undefined) subscriber.unsubscribe(channelOf(scope.name, realm_id))
    },
    isUp: () => findProblem() === undefined,
    findProblem,
    findWarning: () => refusals.findWarning() ?? cluster?.findWarning(),
    async close() {
      cluster?.close()
      subscriber.close()
      redis.disconnect()
    },
  }
}

/**
 * Publishes and subscribes on one connection, as RESP3 permits: a process gets the answer to a publication and the
 * publication itself with one read. The bus subscribes to all its channels whenever the connection is ready.
 */
const openSingle = (redis: Redis, receive: (text: string) => void, refusals: Refusals) => {
  const channels = new Set<string>()
  redis.on('message', (_channel: string, text: string) => receive(text))
  redis.on('ready', () => {
    refusals.forgetSubscribe()
    if (channels.size > 0) redis.subscribe(...channels).catch(refusals.keepSubscribe)
  })
  const subscriber: Subscriber = {
    subscribe(channel) {
      channels.add(channel)
      // It fails while the connection is not ready.
      redis.subscribe(channel).catch(refusals.keepSubscribe)
    },
    unsubscribe(channel) {
      channels.delete(channel)
      redis.unsubscribe(channel).catch(() => {})
    },
    close: () => {},
  }
  return { publish: (channel: string, text: string) => redis.publish(channel, text), subscriber, cluster: undefined }
}

/**
 * What Redis does not permit its user: the rules of a new user name no channel. Events then wait for the check, and
 * nothing else would tell the operator.
 */
const openRefusals = () => {
  const found: Record<'publish' | 'subscribe', string | undefined> = { publish: undefined, subscribe: undefined }
  const keep = (of: keyof typeof found) => (error: Error) => {
    if (error.message.startsWith('NOPERM')) found[of] = error.message
  }
  const forget = (of: keyof typeof found) => () => {
    found[of] = undefined
  }
  return {
    keepPublish: keep('publish'),
    forgetPublish: forget('publish'),
    keepSubscribe: keep('subscribe'),
    forgetSubscribe: forget('subscribe'),
    findWarning(): string | undefined {
      const refusal = found.subscribe ?? found.publish
      if (refusal === undefined) return undefined
      return `The user of REDIS_URL may not publish or subscribe, so events are late: ${refusal}`
    },
  }
}
type Refusals = ReturnType<typeof openRefusals>

const openCluster = (redis_url: string, redis: Cluster, receive: (text: string) => void) => ({
  publish: (channel: string, text: string) => redis.spublish(channel, text),
  subscriber: openShardedSubscriber(redis_url, redis, receive),
  cluster: watchCluster(redis),
})

/**
 * The same with the rows of its entries in another form: compact, as in the log, or expanded (compact-row-changes.ts).
 */
const withRows = (message: Broadcast, transform: (rows: readonly RowChange[]) => readonly RowChange[]): Broadcast => {
  if (!('entries' in message) || message.entries.every(({ rows }) => rows === undefined)) return message
  const entries = message.entries.map((entry) =>
    entry.rows === undefined ? entry : { ...entry, rows: transform(entry.rows) },
  )
  return { ...message, entries }
}

/** One script that Redis runs, on a connection of its own. */
export interface Script {
  isReady(): boolean
  /**
   * Throws while Redis does not answer, and when the script takes longer than the timeout.
   * @param keys in a cluster, all of one slot
   */
  run(keys: readonly string[], values: readonly number[]): Promise<unknown>
  /** @param keys in a cluster, all of one slot */
  remove(keys: readonly string[]): Promise<unknown>
  /** Throws while the node of this key does not answer. */
  ping(key: string): Promise<unknown>
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
  const run = async (keys: readonly string[], values: readonly number[]) => {
    if (isKnown) {
      try {
        return await redis.evalsha(sha, keys.length, ...keys, ...values)
      } catch (error) {
        // Each node of a cluster learns the script, also one that became the master.
        if (!(error as Error).message.startsWith('NOSCRIPT')) throw error
      }
    }
    const answer = await redis.eval(source, keys.length, ...keys, ...values)
    isKnown = true
    return answer
  }
  // In a cluster, a command is sent again while its node is replaced, which can take longer than one command may.
  const bound = <T>(answer: Promise<T>) => (redis.isCluster ? rejectAfter(answer, timeout_ms) : answer)
  return {
    isReady: () => redis.status === 'ready',
    run: (keys, values) => bound(run(keys, values)),
    remove: (keys) => redis.del(...keys),
    ping: (key) => bound(redis.exists(key)),
    close: () => redis.disconnect(),
  }
}

const rejectAfter = async <T>(answer: Promise<T>, timeout_ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no node of the cluster answered within ${timeout_ms} ms`)), timeout_ms)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
