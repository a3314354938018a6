import { join } from 'node:path'
import { findRedis } from './find-redis.js'
import { privatePostgres } from './postgres.js'
import type { Hold } from './process-group.js'
import { privateRedis } from './redis.js'
import { root } from './root.js'
import type { Startable } from './supervisor.js'

/** Kept beside the installed packages, so that every data folder and test run of this clone shares it. */
export const REDIS_CACHE = join(root, 'node_modules/.cache/parley-redis')

export interface Services {
  readonly database_url: string
  readonly redis_url: string
}

/** Where services live and who starts them; `run` may start one again when it ends. */
export interface ServiceOptions {
  folder: string
  durable: boolean
  run(service: Startable): Promise<unknown>
  tell(line: string): void
}

/** Starts Postgres and Redis in `folder`, or takes those that the environment names instead. */
export async function startServices(
  hold: Hold,
  env: Record<string, string | undefined>,
  { folder, durable, run, tell }: ServiceOptions,
): Promise<Services> {
  // Redis first: what may be missing on this machine is found out before the slower one is made.
  const redis_url = env.REDIS_URL || (await redis())
  const database_url = env.DATABASE_URL || (await postgres())
  return { database_url, redis_url }

  async function redis(): Promise<string> {
    const server = findRedis({ path: env.PATH ?? '', cache: REDIS_CACHE, tell })
    tell(`Starting Redis (${server.command})`)
    const service = await privateRedis(hold, server, join(folder, 'redis'))
    await run(service)
    return service.url
  }

  async function postgres(): Promise<string> {
    tell(`Starting Postgres in ${join(folder, 'postgres')}`)
    const service = await privatePostgres(hold, join(folder, 'postgres'), durable)
    await run(service)
    return service.url
  }
}
