/** The only file that imports ioredis. */
import { Redis } from 'ioredis'

/**
 * Opens a connection. While Redis is unreachable, commands fail at once and the connection is retried.
 * @param timeout_ms after which a command without an answer fails
 */
export const openRedis = (redis_url: string, timeout_ms = 2_000): Redis => {
  const redis = new Redis(redis_url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(50 * attempt, 500),
    reconnectOnError: () => true,
    commandTimeout: timeout_ms,
  })
  // Callers check whether the connection is up, so its errors are not reported.
  redis.on('error', () => {})
  return redis
}

/** Opens a connection for subscriptions. It renews them when Redis is reachable again. */
export const openListener = (redis_url: string): Redis => {
  const listener = new Redis(redis_url, {
    autoResubscribe: true,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(50 * attempt, 500),
  })
  listener.on('error', () => {})
  return listener
}
