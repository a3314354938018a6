/** The CPU time that an operation costs each process of a deployment. */
import { Redis } from 'ioredis'
import type { BenchEnvironment } from '../fleet/environment.js'
import { median, readCpuSeconds, readCpuSecondsOfTree } from '../harness/measure.js'
import { findPostmasterPid } from '../harness/postmaster.js'
import { formatNumber } from './bench.js'

const processNames = ['gateway', 'worker', 'Postgres', 'Redis'] as const

/** Microseconds of CPU, user and system, per operation. */
export type Cost = Record<(typeof processNames)[number], number>

/** Repeats an operation, and resolves when all of it is done. @returns the number of operations */
export type Operation = () => Promise<number>

/**
 * Opens a meter of the costs of a gateway, a worker, Postgres and Redis.
 * @param pids without a worker, its costs are 0
 * @returns a function that runs an operation, and returns its costs
 */
export const openCostMeter = async (
  { sql, redis_url }: Pick<BenchEnvironment, 'sql' | 'redis_url'>,
  pids: { gateway: number; worker?: number },
): Promise<(operation: Operation) => Promise<Cost>> => {
  const redis = new Redis(redis_url)
  const redisPid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1])
  redis.disconnect()
  const postmasterPid = await findPostmasterPid(sql)
  const read = (): Cost => ({
    gateway: readCpuSeconds(pids.gateway),
    worker: pids.worker === undefined ? 0 : readCpuSeconds(pids.worker),
    Postgres: readCpuSecondsOfTree(postmasterPid),
    Redis: readCpuSeconds(redisPid),
  })
  return async (operation) => {
    const before = read()
    const count = await operation()
    const after = read()
    return mapCost((name) => ((after[name] - before[name]) * 1e6) / count)
  }
}

/** Computes the cost in each process. */
export const mapCost = (compute: (name: keyof Cost) => number): Cost =>
  Object.fromEntries(processNames.map((name) => [name, compute(name)])) as Cost

/** The median of the rounds in each process. */
export const medianCost = (rounds: readonly Cost[]): Cost =>
  mapCost((name) => median(rounds.map((round) => round[name])))

/** The cost in all processes together. */
export const sumCost = (cost: Cost): number => processNames.reduce((total, name) => total + cost[name], 0)

/** Formats the cost in each process as one line. */
export const formatCost = (cost: Cost): string =>
  `${processNames.map((name) => `${name} ${formatNumber(cost[name])}`).join(', ')} µs CPU`
