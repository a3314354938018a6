import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findRedis } from './find-redis.js'
import type { Hold } from './hold.js'
import { startPostgres } from './postgres.js'
import { startRedis } from './redis.js'

/** Kept beside the installed packages, so that every data folder and test run of this clone shares it. */
const REDIS_CACHE = fileURLToPath(new URL('../../node_modules/.cache/parley-redis', import.meta.url))

export interface Services {
  database_url: string
  redis_url: string
}

/** Starts Postgres and Redis in `folder`, or takes those that the environment names instead. */
export async function startServices(
  hold: Hold,
  env: Record<string, string | undefined>,
  options: { folder: string; durable: boolean; tell(line: string): void },
): Promise<Services> {
  const { folder, durable, tell } = options
  const redis = async () => {
    if (env.REDIS_URL) return env.REDIS_URL
    const server = findRedis({ path: env.PATH ?? '', cache: REDIS_CACHE, tell })
    tell(`Starting Redis (${server.command})`)
    return startRedis(hold, server, join(folder, 'redis'))
  }
  const postgres = async () => {
    if (env.DATABASE_URL) return env.DATABASE_URL
    tell(`Starting Postgres in ${join(folder, 'postgres')}`)
    return startPostgres(hold, join(folder, 'postgres'), durable)
  }
  // Redis first: what may be missing on this machine is found out before the slower one is made.
  const redis_url = await redis()
  const database_url = await postgres()
  return { database_url, redis_url }
}
