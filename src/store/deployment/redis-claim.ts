/**
 * The claim of a deployment on its Redis (the database with the number of REDIS_URL).
 *
 * 1. The claim stays until Redis loses its memory; then the processes that run make it again.
 * 2. Beside it, each process says at intervals which run of the Postgres server it uses, under a key that expires. A
 *    physical copy of the database has the same identity and another run, and finds that the original lives.
 */
import { parseRedisUrl } from '../../domain/deployment/redis-url.js'
import { openRedis } from '../redis.js'
import type { Identity } from './identity.js'

/** The key of the claim. It is the only one that all deployments share. */
export const CLAIM_KEY = 'parley:deployment'
const LIVE_KEY = 'parley:deployment:live'
const LIVE_MS = 15_000

export interface RedisClaim {
  id: string
  cell: string
  /** where the database of the cell is */
  database: string
}

export interface RedisClaims {
  /** Claims Redis if nobody has. @returns the claim in force. Throws while Redis does not answer */
  claim(identity: Identity): Promise<RedisClaim>
  /** The claim in force; undefined: none. Throws while Redis does not answer. */
  read(): Promise<RedisClaim | undefined>
  /** Replaces the claim. */
  replace(identity: Identity): Promise<void>
  /** Says that a process with this database runs. */
  renewLive(identity: Identity): Promise<void>
  /** Which run of a database was seen last; undefined: none within LIVE_MS. */
  readLive(): Promise<string | undefined>
  /** Calls back whenever Redis answers again. */
  onReady(listener: () => void): void
  close(): void
}

const composeClaim = ({ id, cell, actual }: Identity): string =>
  JSON.stringify({ id, cell, database: actual } satisfies RedisClaim)

/** How a run of a database is named in `readLive`. */
export const composeLive = ({ actual, run }: Identity): string => `${actual} ${run}`

/** How to name a Redis to an operator. */
export const describeRedis = (redis_url: string): string => {
  const { database, kind } = parseRedisUrl(redis_url)
  return kind === 'cluster' ? 'this Redis Cluster' : `this Redis (database ${database})`
}

/** The command that ends the claim of a deployment that is gone. */
export const describeUnclaim = (redis_url: string): string =>
  `redis-cli -n ${parseRedisUrl(redis_url).database} del ${CLAIM_KEY}`

/** Connects. */
export const openRedisClaims = (redis_url: string): RedisClaims => {
  const redis = openRedis(redis_url)
  const waitUntilReady = async () => {
    if (redis.status === 'ready') return
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('Redis does not answer')), 1_000)
      redis.once('ready', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
  const read = async () => {
    await waitUntilReady()
    const text = await redis.get(CLAIM_KEY)
    return text === null ? undefined : (JSON.parse(text) as RedisClaim)
  }
  return {
    read,
    async claim(identity) {
      await waitUntilReady()
      await redis.set(CLAIM_KEY, composeClaim(identity), 'NX')
      return (await read()) ?? { id: identity.id, cell: identity.cell, database: identity.actual }
    },
    async replace(identity) {
      await waitUntilReady()
      await redis.set(CLAIM_KEY, composeClaim(identity))
    },
    async renewLive(identity) {
      await redis.set(LIVE_KEY, composeLive(identity), 'PX', LIVE_MS)
    },
    async readLive() {
      return (await redis.get(LIVE_KEY)) ?? undefined
    },
    onReady: (listener) => void redis.on('ready', listener),
    close: () => redis.disconnect(),
  }
}
