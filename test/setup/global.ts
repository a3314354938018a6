/**
 * Runs once before all tests: starts Postgres and Redis in a temporary folder, migrates the database, and starts the
 * shared fleet of three gateways and a worker from dist/. Tests read its addresses with `inject`.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startApplication } from '../../src/dev/application.js'
import { openProcessGroup } from '../../src/dev/process-group.js'
import { startServices } from '../../src/dev/services.js'
import { migrate } from '../../src/store/migrations.js'
import { openSql } from '../../src/store/sql.js'
import { keepTemplate } from './processes/new-database.js'
import { prepareChromium } from './web/chromium.js'

declare module 'vitest' {
  interface ProvidedContext {
    database_url: string
    redis_url: string
    secret_key: string
    /** Realms are `<string_id>.parley.test`. */
    base_domain: string
    /** Three gateways of one fleet, e.g. http://127.0.0.1:41234 */
    gateway_urls: string[]
    /** The environment of the fleet, for a test that starts one more process. */
    process_env: Record<string, string>
    /** Where processes write their logs during the run. */
    log_folder: string
  }
}

/** Starts everything. @returns what ends it */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const tell = (line: string) => console.log(`[set-up] ${line}`)
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  const group = openProcessGroup(() => {})
  group.removeFolderAtEnd(folder)
  try {
    prepareChromium(tell)
    const services = await startServices(group, process.env, {
      folder,
      durable: false,
      run: (service) => service.start(),
      tell,
    })
    const sql = openSql(services.database_url, 1)
    await migrate(sql)
    await sql.end()
    // Others may be connected to a database that was there before.
    if (!process.env.DATABASE_URL) await keepTemplate(services.database_url)

    const process_env = {
      DATABASE_URL: services.database_url,
      REDIS_URL: services.redis_url,
      SECRET_KEY: randomBytes(32).toString('hex'),
      BASE_DOMAIN: 'parley.test',
      PORT: '0',
      OPERATIONS_PORT: '0',
      UPLOADS_DIR: join(folder, 'uploads'),
      MAX_FILE_UPLOAD_SIZE_MIB: '4',
      MAIL_OUTBOX: join(folder, 'outbox'),
      MISSED_MESSAGE_MAILS: 'off',
      NODE_ENV: 'test',
      LOG_LEVEL: 'warn',
      RATE_LIMITS: 'off',
      DRAIN_NOTICE_MS: '0',
      WEBHOOK_NETWORKS: '127.0.0.1',
      PREVIEW_NETWORKS: '127.0.0.1',
      LOG_IN_NETWORKS: '127.0.0.1',
    }
    const launch = (kind: 'gateway' | 'worker', name: string) =>
      startApplication(group, { kind, name, env: process_env, logFile: join(folder, `${name}.log`) })
    const names = ['gateway-1', 'gateway-2', 'gateway-3']
    const [, ...gateways] = await Promise.all([
      launch('worker', 'worker'),
      ...names.map((name) => launch('gateway', name)),
    ])

    project.provide('database_url', services.database_url)
    project.provide('redis_url', services.redis_url)
    project.provide('secret_key', process_env.SECRET_KEY)
    project.provide('base_domain', process_env.BASE_DOMAIN)
    project.provide(
      'gateway_urls',
      gateways.map(({ port }) => `http://127.0.0.1:${port}`),
    )
    project.provide('process_env', process_env)
    project.provide('log_folder', folder)
    return async () => {
      for (const name of [...names, 'worker']) tellErrors(name, join(folder, `${name}.log`))
      await group.stop()
    }
  } catch (error) {
    await group.stop()
    throw error
  }
}

/** Prints the first ten errors that a process of the fleet logged, because a test may not notice them. */
function tellErrors(name: string, logFile: string): void {
  const errors = readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => /"level":[56]0/.test(line) || (line !== '' && !line.startsWith('{')))
  for (const line of errors.slice(0, 10)) console.error(`[${name}] ${line}`)
}
