/** The environment of the benchmarks: Postgres (with fsync), Redis, and real gateway and worker processes. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApplication } from '../../src/dev/application.js'
import type { ProcessGroup } from '../../src/dev/process-group.js'
import { type Services, startServices } from '../../src/dev/services.js'
import { migrate } from '../../src/store/migrations.js'
import { openSql, type Sql } from '../../src/store/sql.js'
import type { Comparison } from '../harness/comparison.js'
import type { RoundCounts } from '../harness/machine.js'

/**
 * How much the benchmarks measure: everything; less, so that they take minutes (`--short`); or so little that they only
 * show that they run to their end, and their figures and bounds mean nothing (`--smoke`).
 */
export type Scale = 'full' | 'short' | 'smoke'

export interface BenchEnvironment extends Services {
  /** every process that a benchmark starts belongs to this group */
  group: ProcessGroup
  sql: Sql
  secret: string
  /** Starts a gateway process. `variables` override the variables that every process gets. */
  startGateway(variables?: Record<string, string>): Promise<GatewayProcess>
  /** Starts a worker process, with `variables` likewise. */
  startWorker(variables?: Record<string, string>): Promise<Pick<GatewayProcess, 'pid' | 'stop'>>
  /** What the gateways and workers have logged: their warnings and errors, line by line. */
  readLogs(): string[]
  scale: Scale
  /** Chooses a size by the scale. In the short form it is the full size unless another one is named. */
  size<T>(full: T, smaller: { short?: T; smoke: T }): T
  /** Prints a line of progress. */
  print(line: string): void
  /** the figures of the servers that were compared with Parley, for the report */
  comparison: Comparison
  /** the rounds of the benchmark that runs; undefined when disturbed rounds are not repeated */
  rounds: RoundCounts | undefined
}

export interface GatewayProcess {
  pid: number
  port: number
  /** where it serves metrics */
  operationsPort: number
  /** Resolves when the process has ended. */
  stop(): Promise<void>
}

/** Organizations are `<string_id>.bench.invalid`. */
export const BASE_DOMAIN = 'bench.invalid'

/** Starts the services and migrates the database. Everything ends with the process group. */
export const openBenchEnvironment = async (
  group: ProcessGroup,
  env: Record<string, string | undefined>,
  { scale, print }: Pick<BenchEnvironment, 'scale' | 'print'>,
): Promise<BenchEnvironment> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  group.removeFolderAtEnd(folder)
  const services = await startServices(group, env, {
    folder,
    durable: true,
    run: (service) => service.start(),
    tell: print,
  })
  const sql = openSql(services.database_url, 4)
  await migrate(sql)
  const secret = randomBytes(32).toString('hex')
  let processes = 0
  const logFiles: string[] = []
  const start = async (kind: 'gateway' | 'worker', variables: Record<string, string>): Promise<GatewayProcess> => {
    processes += 1
    const name = `${kind}-${processes}`
    const logFile = join(folder, `${name}.log`)
    const started = await startApplication(group, {
      kind,
      name,
      env: {
        DATABASE_URL: services.database_url,
        REDIS_URL: services.redis_url,
        SECRET_KEY: secret,
        BASE_DOMAIN,
        PORT: '0',
        OPERATIONS_PORT: '0',
        UPLOADS_DIR: join(folder, 'uploads'),
        MAIL_OUTBOX: join(folder, 'outbox'),
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        RATE_LIMITS: 'off',
        DRAIN_NOTICE_MS: '0',
        // No heartbeat is sent during a measurement.
        POLL_HEARTBEAT_MS: '1800000',
        STREAM_HEARTBEAT_MS: '1800000',
        ...variables,
      },
      logFile,
    })
    logFiles.push(logFile)
    return {
      pid: started.pid,
      port: started.port ?? 0,
      operationsPort: started.operationsPort ?? 0,
      async stop() {
        started.child.kill('SIGTERM')
        await started.ended
      },
    }
  }
  return {
    ...services,
    group,
    sql,
    secret,
    scale,
    size: (full, smaller) => (scale === 'full' ? full : ((scale === 'short' ? smaller.short : smaller.smoke) ?? full)),
    print,
    comparison: { databases: [], figures: [], skipped: [] },
    rounds: undefined,
    startGateway: (variables = {}) => start('gateway', variables),
    startWorker: (variables = {}) => start('worker', variables),
    readLogs: () => logFiles.flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean)),
  }
}
