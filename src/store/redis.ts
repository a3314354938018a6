/** The only file that imports ioredis. */
import { Redis } from 'ioredis'

/**
 * A connection that fails commands at once while Redis is away, and comes back by itself.
 * @param patience milliseconds until a command has failed that Redis does not answer
 */
export const openRedis = (redis_url: string, patience = 2_000): Redis => {
  const redis = new Redis(redis_url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(50 * attempt, 500),
    reconnectOnError: () => true,
    commandTimeout: patience,
  })
  // Connection errors are states here (isUp), not events of interest one by one.
  redis.on('error', () => {})
  return redis
}

/** A connection for subscriptions: it takes them up again by itself whenever Redis is back. */
export const openListener = (redis_url: string): Redis => {
  const listener = new Redis(redis_url, {
    autoResubscribe: true,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(50 * attempt, 500),
  })
  listener.on('error', () => {})
  return listener
}
