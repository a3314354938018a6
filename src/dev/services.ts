import { join } from 'node:path'
import { findRedis } from './find-redis.js'
import { preparePostgres } from './postgres.js'
import type { ProcessGroup } from './process-group.js'
import { prepareRedis } from './redis.js'
import { root } from './root.js'
import type { Startable } from './supervisor.js'

/** The folder of an unpacked Redis. All data folders and test runs of this clone share it. */
export const REDIS_CACHE = join(root, 'node_modules/.cache/parley-redis')

export interface Services {
  readonly database_url: string
  readonly redis_url: string
}

/** The folder of the services, and the function that starts them; `run` may restart a service that ends. */
export interface ServiceOptions {
  folder: string
  durable: boolean
  run(service: Startable): Promise<unknown>
  tell(line: string): void
}

/** Starts Postgres and Redis in `folder`. It does not start those whose URL the environment has. */
export async function startServices(
  group: ProcessGroup,
  env: Record<string, string | undefined>,
  { folder, durable, run, tell }: ServiceOptions,
): Promise<Services> {
  // Redis first: it may be missing on this machine, and creating the Postgres cluster takes longer.
  const redis_url = env.REDIS_URL || (await redis())
  const database_url = env.DATABASE_URL || (await postgres())
  return { database_url, redis_url }

  async function redis(): Promise<string> {
    const server = findRedis({ path: env.PATH ?? '', cache: REDIS_CACHE, tell })
    tell(`Starting Redis (${server.command})`)
    const service = await prepareRedis(group, server, join(folder, 'redis'))
    await run(service)
    return service.url
  }

  async function postgres(): Promise<string> {
    tell(`Starting Postgres in ${join(folder, 'postgres')}`)
    const service = await preparePostgres(group, join(folder, 'postgres'), durable)
    await run(service)
    return service.url
  }
}
