/**
 * A fleet of a test's own: a database, a Redis, a gateway and workers, which the test may kill. No other worker takes
 * the jobs and no other gateway writes.
 */
import { inject } from 'vitest'
import { migrate } from '../../../src/store/migrations.js'
import { openSql } from '../../../src/store/sql.js'
import { newRealm, type TestRealm } from '../realm/realm.js'
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

let count = 0

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

const newDatabase = async (server_url: string): Promise<string> => {
  const url = new URL(server_url)
  const name = `own_${process.pid}_${++count}`
  const outside = openSql(url.href, 1)
  await outside`create database ${outside(name)}`
  await outside.end()
  url.pathname = `/${name}`
  const inside = openSql(url.href, 1)
  await migrate(inside)
  await inside.end()
  return url.href
}
