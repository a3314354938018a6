/**
 * The only file that imports ioredis: it opens connections to one Redis, to a Redis Cluster, or to the master that
 * Redis Sentinel names (domain/deployment/redis-url.ts).
 */
import { readFileSync } from 'node:fs'
import { Cluster, type ClusterOptions, Command, Redis, type RedisOptions } from 'ioredis'
import { parseRedisUrl, type RedisServers } from '../domain/deployment/redis-url.js'

export type { Cluster, Redis }
/** A connection to Redis, whose keys may be on many nodes. */
export type RedisClient = Redis | Cluster

/** A cluster client reads the table of slots again after this many milliseconds, and after each failure. */
const SLOTS_REFRESH_MS = 5_000
const SLOTS_TIMEOUT_MS = 2_000
/** A connection is closed when a command had no answer for so many milliseconds. */
const SILENT_MS = 5_000
/** Longer than a command of BullMQ blocks: after an error it blocks for 10 seconds. */
const CLUSTER_COMMAND_MS = 15_000
/** The kernel reports a connection to a machine that is gone after about twice this many milliseconds. */
const KEEP_ALIVE_MS = 10_000

const retry = (attempt: number) => Math.min(50 * attempt, 500)

/** Whether the URL is that of a Redis Cluster. */
export const isClusterUrl = (redis_url: string): boolean => parseRedisUrl(redis_url).kind === 'cluster'

/**
 * Returns `name` as the begin of keys that are used together. In a cluster it has braces around it, which put all keys
 * with this begin into one slot. Elsewhere it has none, as in former releases, so that an upgrade finds their keys.
 */
export const tagKeys = (redis_url: string, name: string): string => (isClusterUrl(redis_url) ? `{${name}}` : name)

/**
 * Opens a connection. While Redis is unreachable, commands fail at once and the connection is retried.
 * @param timeout_ms after which a command without an answer fails
 */
export const openRedis = (redis_url: string, timeout_ms = 2_000): RedisClient =>
  openClient(
    redis_url,
    {
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      commandTimeout: timeout_ms,
      // A machine that is gone closes no connection. A new one goes to its address, or to the master that took over.
      socketTimeout: SILENT_MS,
      // ioredis renews only subscriptions that Redis has confirmed. The bus renews all of its own.
      autoResubscribe: false,
    },
    // A server that was the master refuses writes. A new connection goes to the master that it is now. It would have
    // the same permissions, and the bus would lose what is published meanwhile.
    { enableOfflineQueue: false, reconnectOnError: ({ message }) => !message.startsWith('NOPERM') },
  )

/**
 * Opens a connection for the queues of a worker. Its commands may block for seconds. They wait for Redis without a
 * limit; in a cluster they fail after CLUSTER_COMMAND_MS, and BullMQ sends them again: another node may have taken over
 * from the one that does not answer.
 */
export const openBlockingRedis = (redis_url: string): RedisClient => {
  const timeout = isClusterUrl(redis_url) ? { commandTimeout: CLUSTER_COMMAND_MS } : {}
  return openClient(redis_url, { maxRetriesPerRequest: null, ...timeout }, {})
}

/**
 * Opens a connection to one node of a cluster, for subscriptions. The node is `<host>:<port>`, and the caller renews
 * the subscriptions.
 */
export const openNodeListener = (redis_url: string, node: string): Redis => {
  const colon = node.lastIndexOf(':')
  return silence(
    new Redis({
      ...connectionOptions(parseRedisUrl(redis_url)),
      host: node.slice(0, colon),
      port: Number(node.slice(colon + 1)),
      autoResubscribe: false,
      autoResendUnfulfilledCommands: false,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
    }),
  )
}

/** The slot of a key or sharded channel in a cluster. */
export const findSlot = (key: string): number => new Command('get', [key]).getSlot()

/** @param single options that only a connection to one server has */
const openClient = (redis_url: string, options: RedisOptions, single: RedisOptions): RedisClient => {
  const servers = parseRedisUrl(redis_url)
  if (servers.kind !== 'cluster') return silence(new Redis(singleOptions(servers, { ...options, ...single })))
  const cluster: ClusterOptions = {
    enableOfflineQueue: single.enableOfflineQueue ?? true,
    clusterRetryStrategy: retry,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    slotsRefreshTimeout: SLOTS_TIMEOUT_MS,
    // Addresses would fail the check of certificates that have names only.
    dnsLookup: (host, found) => found(null, host),
    redisOptions: { ...connectionOptions(servers), ...options },
  }
  return silence(new Cluster([...servers.hosts], cluster))
}

const singleOptions = (servers: RedisServers, options: RedisOptions): RedisOptions => {
  const { hosts, sentinel } = servers
  const common = { ...connectionOptions(servers), db: servers.database, ...options }
  if (sentinel === undefined) return { ...common, ...hosts[0] }
  return {
    ...common,
    sentinels: [...hosts],
    name: sentinel.master,
    sentinelRetryStrategy: retry,
    ...(sentinel.username === undefined ? {} : { sentinelUsername: sentinel.username }),
    ...(sentinel.password === undefined ? {} : { sentinelPassword: sentinel.password }),
    ...(common.tls === undefined ? {} : { enableTLSForSentinelMode: true, sentinelTLS: common.tls }),
  }
}

const connectionOptions = ({ username, password, family, tls }: RedisServers) => ({
  keepAlive: KEEP_ALIVE_MS,
  retryStrategy: retry,
  // A user may have few permissions, and no rule can name CLIENT SETINFO on a Redis older than 7.2.
  disableClientInfo: true,
  ...(username === undefined ? {} : { username }),
  ...(password === undefined ? {} : { password }),
  ...(family === undefined ? {} : { family }),
  ...(tls === undefined ? {} : { tls: tlsOptions(tls) }),
})

const tlsOptions = ({ ca, cert, key, isNameChecked }: NonNullable<RedisServers['tls']>) => ({
  ...(ca === undefined ? {} : { ca: readFileSync(ca) }),
  ...(cert === undefined ? {} : { cert: readFileSync(cert) }),
  ...(key === undefined ? {} : { key: readFileSync(key) }),
  ...(isNameChecked ? {} : { checkServerIdentity: () => undefined }),
})

/** Callers check whether the connection is up, so its errors are not reported. */
const silence = <Client extends RedisClient>(client: Client): Client => {
  client.on('error', () => {})
  return client
}
