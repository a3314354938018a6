/**
 * A cell as one process uses it: its pools, its bus, its realms in memory, its queue of jobs, and what writes need of
 * them. Gateways, workers, the command line, tests and benchmarks open it here.
 *
 * 1. Every write of a process does what `commitHooks` lists, and nothing else, besides its change.
 * 2. It is closed in the order of use: the realms, which ask Postgres at intervals; the queue of jobs; the bus; the
 *    pools.
 */
import type { Deployment } from '../../domain/deployment/deployment.js'
import { entryKinds } from '../../domain/entry-kinds.js'
import type { Jobs } from '../jobs/job-queue.js'
import { type Bus, openBus } from '../log/bus.js'
import { openRealms, type Realms, type RealmsOptions } from '../log/realms.js'
import type { WriteDependencies } from '../log/write-context.js'
import type { Scope } from '../redis-scope.js'
import { commitHooks } from './commit-hooks.js'
import type { Pools } from './pools.js'

export interface CellOptions extends Omit<RealmsOptions, 'kinds' | 'structureLockSql'> {
  redis_url: string
  /** the names of the process in Redis */
  scope: Scope
  /**
   * Tells workers of committed jobs; absent: their sweepers find them. Opened by the process, because the library of
   * queues is large, and the command line needs none.
   */
  jobs?: Jobs
}

export interface Cell {
  readonly pools: Pools
  readonly deployment: Deployment
  readonly bus: Bus
  readonly realms: Realms
  readonly jobs: Jobs
  /** what the contexts of all writes are opened with */
  readonly writing: WriteDependencies
  /** Closes everything, the pools too (2). */
  close(): Promise<void>
}

/** Opens a cell. Returns at once, also while Postgres and Redis are away. */
export const openCell = (pools: Pools, options: CellOptions): Cell => {
  const { redis_url, scope, jobs = noQueue, ...ofRealms } = options
  const { sql, structureLockSql } = pools
  const bus = openBus(redis_url, scope, (message) => realms.receive(message))
  const realms: Realms = openRealms(sql, bus, { ...ofRealms, kinds: entryKinds, structureLockSql })
  return {
    pools,
    deployment: options.deployment,
    bus,
    realms,
    jobs,
    writing: { sql, bus, commitHooks, enqueueJobs: jobs.enqueue },
    async close() {
      realms.close()
      await jobs.close()
      await bus.close()
      await pools.close()
    },
  }
}

const noQueue: Jobs = { enqueue() {}, async close() {} }
