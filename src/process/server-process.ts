/**
 * What a gateway and a worker have in common: the checks at the start, the cell, metrics and health, the listener for
 * operators, and the end.
 *
 * 1. A process works only with a database that it can use, and with services of its own deployment. While they do not
 *    answer, it starts, and ends when they turn out to be others.
 * 2. It ends on SIGTERM or SIGINT. /health/ready answers 503 from the signal on. The process drains as its kind does,
 *    and closes what it has opened: what it writes back, the realms and the queue of jobs, its other connections to
 *    Redis, the bus, the connections to Postgres, and last the listener for operators (processes/close-services.ts).
 */
import type { Logger } from 'pino'
import { type Config, findConfigWarnings } from '../config/config.js'
import { readDeployment } from '../config/deployment.js'
import { openLog } from '../config/log.js'
import { type ConsoleOptions, openConsole } from '../monitoring/console/console.js'
import { type Health, openHealth } from '../monitoring/health.js'
import {
  addDiskGauges,
  addLogMetrics,
  addPoolGauges,
  addQueueGauges,
  addRealmGauges,
  addStandbyMetrics,
  type Metrics,
  openMetrics,
} from '../monitoring/metrics.js'
import { openOperationsServer } from '../monitoring/operations-server.js'
import { watchOutages } from '../monitoring/outages.js'
import { findWarnings } from '../monitoring/warnings.js'
import { type Cell, type CellOptions, openCell } from '../store/cell/cell.js'
import { openPools, type PoolSizes } from '../store/cell/pools.js'
import { requireUsableDatabases } from '../store/connection-check.js'
import { joinDeployment, type Membership } from '../store/deployment/membership.js'
import type { FileStorage } from '../store/files/file-storage.js'
import { type ImageDecoder, openImageDecoder } from '../store/files/image-decoder.js'
import { openFileStorage } from '../store/files/open-file-storage.js'
import { openJobs } from '../store/jobs/job-queue.js'
import { closeServices } from '../store/processes/close-services.js'

/** What distinguishes a kind of process, and what it does with its realms. */
export interface ProcessOptions
  extends Pick<CellOptions, 'onLoad' | 'onUnload' | 'onQueueDeleted' | 'onQueuesRead' | 'tracing'> {
  kind: 'gateway' | 'worker'
  pools: PoolSizes
}

/** How each service of a process is closed, by its name. */
type Services = Readonly<Record<string, () => unknown>>

/** What a kind of process adds to the parts that all have. */
export interface ProcessWork extends Pick<ConsoleOptions, 'countConnections' | 'listSlowCalls'> {
  /** on which it serves clients; undefined: it serves none */
  port?: number
  /** Ends the work, within a bound. */
  drain(): Promise<void>
  /** what is written back at the end, while the realms and the bus are open */
  writesBack?: Services
  /** the connections that it has besides those of the cell */
  connections?: Services
}

/** A gateway or a worker. */
export interface ServerProcess {
  readonly log: Logger
  readonly cell: Cell
  readonly files: FileStorage
  readonly images: ImageDecoder
  readonly membership: Membership
  readonly metrics: Metrics
  readonly health: Health
  /** Serves operators, says on standard output that the process is ready, and ends it when it is told to (2). */
  run(work: ProcessWork): Promise<void>
}

/** Opens the parts of a process. Throws UnusableDatabaseError and ForeignDeploymentError (1). */
export const openServerProcess = async (
  config: Config,
  { kind, pools: sizes, ...ofRealms }: ProcessOptions,
): Promise<ServerProcess> => {
  const log = openLog(config, kind)
  const endWith = (message: string) => (problem: string) => {
    log.fatal({ problem }, message)
    process.exit(1)
  }
  await requireUsableDatabases(config, endWith('the database must not be used'))
  const pools = openPools(config, sizes)
  const files = await openFileStorage(config)
  const foreign = endWith('the services belong to another deployment')
  const membership = await joinDeployment(config, pools.sql, files, foreign)
  const { scope } = membership
  const cell = openCell(pools, {
    ...ofRealms,
    redis_url: config.REDIS_URL,
    scope,
    jobs: openJobs(config.REDIS_URL, scope),
    deployment: readDeployment(config),
    anti_entropy_ms: config.ANTI_ENTROPY_MS,
    report: (error) => log.error({ err: error }, 'delivering an entry failed'),
  })
  const images = openImageDecoder((error) => log.error({ err: error }, 'decoding an image failed'))
  const health = openProcessHealth(config, cell, files, membership)
  const metrics = openMetrics()
  addCellMetrics(metrics, cell, files, health)
  const stopWatching = watchOutages(log, metrics, health, cell.bus)

  const openListener = async ({ countConnections, listSlowCalls }: ProcessWork) => {
    const { bus, jobs, realms } = cell
    const operatorConsole = openConsole({
      kind,
      scope,
      config,
      sql: pools.sql,
      metrics,
      health,
      bus,
      jobs,
      loadedRealms: () => realms.loaded(),
      countConnections,
      listSlowCalls,
    })
    const operations = await openOperationsServer(config, metrics, health, operatorConsole.answer)
    operatorConsole.start(operations.port)
    return { operatorConsole, operations }
  }

  return {
    log,
    cell,
    files,
    images,
    membership,
    metrics,
    health,
    async run(work) {
      // Once the parts of the kind have opened their queues.
      addQueueGauges(metrics)
      const { operatorConsole, operations } = await openListener(work)
      const listening = { listening: kind, port: work.port, operations_port: operations.port, pid: process.pid }
      process.stdout.write(`${JSON.stringify(listening)}\n`)
      const end = async () => {
        if (health.isDraining) return
        health.drain()
        log.info('draining')
        await work.drain()
        images.close()
        await closeServices(log, {
          ...work.writesBack,
          realms: () => cell.realms.close(),
          jobs: () => cell.jobs.close(),
          ...work.connections,
          async console() {
            stopWatching()
            await operatorConsole.close()
          },
          membership: () => membership.close(),
          bus: () => cell.bus.close(),
          database: () => pools.close(),
          operations: () => operations.close(),
        })
      }
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end())
    },
  }
}

const openProcessHealth = (config: Config, { pools, bus }: Cell, files: FileStorage, membership: Membership) => {
  const { sql, standbys } = pools
  const warnings = findWarnings(config, sql, files, bus, standbys, membership, findConfigWarnings(config))
  return openHealth(sql, warnings, bus.findProblem)
}

const addCellMetrics = (metrics: Metrics, { pools, realms }: Cell, files: FileStorage, health: Health): void => {
  const { sql, standbys, connections } = pools
  addRealmGauges(metrics, sql, () => realms.loaded())
  addLogMetrics(metrics, realms.counts)
  addStandbyMetrics(metrics, standbys)
  addDiskGauges(metrics, sql, files)
  addPoolGauges(metrics, health, connections)
}
