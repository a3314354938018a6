/**
 * A fleet of a test's own: a database, a Redis, a gateway and workers, which the test may kill. No other worker takes
 * the jobs and no other gateway writes.
 */
import { inject } from 'vitest'
import { newRealm, type TestRealm } from '../realm/realm.js'
import { newDatabase } from './new-database.js'
import { type KillableService, startGateway, startRedis, startWorker, type TestProcess } from './processes.js'

export interface OwnFleet extends AsyncDisposable {
  gateway: TestProcess
  realm: TestRealm
  database_url: string
  /** Starts one more gateway of the fleet. @param more environment variables that differ */
  newGateway(more?: Record<string, string>): Promise<TestProcess>
  redis: KillableService
  /** Starts a worker. @param more environment variables of this one */
  worker(more?: Record<string, string>): Promise<TestProcess>
  /** Creates one more realm on the fleet, which the caller disposes of. */
  newRealm(): Promise<TestRealm>
}

/**
 * Starts the fleet.
 * @param more environment variables of its processes
 * @param server_url the Postgres in which its database is created
 * @param ownRedis the Redis of the fleet; by default a new one
 */
export const startOwnFleet = async (
  more: Record<string, string> = {},
  server_url = inject('database_url'),
  ownRedis?: KillableService,
): Promise<OwnFleet> => {
  const database_url = await newDatabase(server_url)
  const redis = ownRedis ?? (await startRedis())
  const env = { ...more, DATABASE_URL: database_url, REDIS_URL: redis.url }
  const gateway = await startGateway(env)
  const services = { database_url, redis_url: redis.url }
  const realm = await newRealm(services)
  return {
    gateway,
    realm,
    database_url,
    redis,
    newGateway: (more = {}) => startGateway({ ...env, ...more }),
    worker: (more = {}) => startWorker({ ...env, ...more }),
    newRealm: () => newRealm(services),
    async [Symbol.asyncDispose]() {
      await realm[Symbol.asyncDispose]()
      await gateway.stop()
      await redis.kill()
    },
  }
}
