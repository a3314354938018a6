/** Where benches run: Postgres (with fsync) and Redis of their own, and real gateway processes. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApplication } from '../src/dev/application.js'
import type { ProcessGroup } from '../src/dev/process-group.js'
import { type Services, startServices } from '../src/dev/services.js'
import { migrate, openSql, type Sql } from '../src/store/sql.js'

export interface Setting extends Services {
  hold: ProcessGroup
  sql: Sql
  secret: string
  /** Starts a gateway process. `env` is laid over what all of them get. */
  gateway(env?: Record<string, string>): Promise<Gateway>
  /** Starts a worker process. */
  worker(): Promise<Pick<Gateway, 'pid' | 'stop'>>
  /** whether the person at the keyboard wants smaller numbers sooner */
  isShort: boolean
  /** Tells the person at the keyboard what is going on. */
  tell(line: string): void
}

export interface Gateway {
  pid: number
  port: number
  /** Resolves when the process is gone. */
  stop(): Promise<void>
}

/** Organizations are `<string_id>.bench.invalid`. */
export const BASE_DOMAIN = 'bench.invalid'

/** Starts the services and migrates. Everything ends with the hold. */
export const openSetting = async (
  hold: ProcessGroup,
  env: Record<string, string | undefined>,
  { isShort, tell }: Pick<Setting, 'isShort' | 'tell'>,
): Promise<Setting> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  hold.removeFolderAtEnd(folder)
  const services = await startServices(hold, env, {
    folder,
    durable: true,
    run: (service) => service.start(),
    tell,
  })
  const sql = openSql(services.database_url, 4)
  await migrate(sql)
  const secret = randomBytes(32).toString('hex')
  let processes = 0
  const start = async (kind: 'gateway' | 'worker', more: Record<string, string>): Promise<Gateway> => {
    processes += 1
    const name = `${kind}-${processes}`
    const started = await startApplication(hold, {
      kind,
      name,
      env: {
        DATABASE_URL: services.database_url,
        REDIS_URL: services.redis_url,
        SECRET_KEY: secret,
        BASE_DOMAIN,
        PORT: '0',
        UPLOADS_DIR: join(folder, 'uploads'),
        MAIL_OUTBOX: join(folder, 'outbox'),
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        RATE_LIMITS: 'off',
        // No heartbeat falls into a measurement.
        POLL_HEARTBEAT_MS: '1800000',
        ...more,
      },
      logFile: join(folder, `${name}.log`),
    })
    return {
      pid: started.pid,
      port: started.port ?? 0,
      async stop() {
        started.child.kill('SIGTERM')
        await started.ended
      },
    }
  }
  return {
    ...services,
    hold,
    sql,
    secret,
    isShort,
    tell,
    gateway: (more = {}) => start('gateway', more),
    worker: () => start('worker', {}),
  }
}
