/**
 * `npm start`: a whole Parley on one machine, with everything it needs, until Ctrl-C.
 *
 * The order of a start: the folder is ours, the ports are free, Redis and Postgres, migrations, gateways and workers,
 * the demo organization. The order of a stop is the leash's (reaper.ts): gateways and workers drain, then Redis and
 * Postgres end. A first start that fails at anything says why and takes down what it had started.
 */
import { join } from 'node:path'
import { openAdministration } from '../administration/administration.js'
import { ConfigError, parseConfig } from '../config/config.js'
import { type Launch, startApplication } from './application.js'
import { type DataFolder, openDataFolder, writeWhole } from './data-folder.js'
import { demoOrganization, REALM } from './demo.js'
import { Failure } from './failure.js'
import { type Options, parseOptions, USAGE } from './options.js'
import { requirePorts } from './ports.js'
import { type Hold, holdLeash } from './process-group.js'
import { startServices } from './services.js'
import { type Keeper, keeper } from './supervisor.js'
import { type DevJson, welcome } from './welcome.js'

type Environment = Record<string, string | undefined>

const HOST = '127.0.0.1'

/** Runs until a signal comes. */
export async function main(args: string[], env: Environment): Promise<void> {
  try {
    const options = parseOptions(args)
    if (options === undefined) console.log(USAGE)
    else await run(options, await openDataFolder(options.data, tell), env)
  } catch (error) {
    tellFailure(error)
    process.exit(1)
  }
}

/** What belongs to one run of the supervisor. */
interface Run {
  options: Options
  folder: DataFolder
  env: Environment
  hold: Hold
  kept: Keeper
}

async function run(options: Options, folder: DataFolder, env: Environment): Promise<void> {
  const hold = holdLeash(tell, folder.record)
  const kept = keeper(tell)
  let stopping: Promise<never> | undefined
  const stop = (code: number) => {
    kept.stop()
    stopping ??= hold.letGo().then(() => {
      folder.record([])
      tell('Stopped')
      process.exit(code)
    })
    return stopping
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      // npm and the terminal may both bring the same Ctrl-C.
      if (stopping === undefined) tell('Stopping')
      void stop(0)
    })
  }

  try {
    const about = await startEverything({ options, folder, env, hold, kept })
    tell('Ready')
    console.log(welcome(about, folder.path))
  } catch (error) {
    // What fails because it is being stopped has nothing to say.
    if (stopping === undefined) tellFailure(error)
    await stop(1)
  }
}

async function startEverything({ options, folder, env, hold, kept }: Run): Promise<DevJson> {
  const ports = Array.from({ length: options.gateways }, (_, index) => options.port + index)
  await requirePorts(HOST, ports)
  const services = await startServices(hold, env, { folder: folder.path, durable: true, run: kept.keep, tell })
  const url = `http://${HOST}:${options.port}`
  const processEnv = {
    DATABASE_URL: services.database_url,
    REDIS_URL: services.redis_url,
    SECRET_KEY: folder.secretKey,
    HOST,
    PUBLIC_URL: url,
    ROOT_REALM: REALM,
    NODE_ENV: 'development',
    UPLOADS_DIR: join(folder.path, 'uploads'),
    MAIL_OUTBOX: join(folder.path, 'outbox'),
    SMTP_URL: env.SMTP_URL ?? '',
    LOG_LEVEL: env.LOG_LEVEL || 'info',
    RATE_LIMITS: env.RATE_LIMITS ?? '',
    RATES: env.RATES ?? '',
  }
  await using administration = openAdministration(parseConfig(processEnv))
  const applied = await administration.migrate().catch((error: Error) => {
    throw new Failure(`The database could not be brought up to date: ${error.message}`)
  })
  if (applied.length > 0) tell(`Migrated the database (${applied.join(', ')})`)

  const launch = (kind: Launch['kind'], name: string, more: Record<string, string>) => {
    const how = { kind, name, env: { ...processEnv, ...more }, logFile: join(folder.path, 'logs', `${name}.log`) }
    return kept.keep({ name, start: () => startApplication(hold, how) })
  }
  tell(`Starting gateways and workers; their logs are in ${join(folder.path, 'logs')}`)
  await Promise.all([
    ...ports.map((port) => launch('gateway', `gateway-${port}`, { PORT: String(port) })),
    ...Array.from({ length: options.workers }, (_, index) => launch('worker', `worker-${index + 1}`, {})),
  ])

  const users = await demoOrganization({ administration, secretKey: folder.secretKey, url, tell })
  const about = { url, realm: REALM, users, gateways: ports.map((port) => `http://${HOST}:${port}`), ...services }
  writeWhole(join(folder.path, 'dev.json'), `${JSON.stringify(about, null, 2)}\n`)
  return about
}

function tell(line: string): void {
  console.log(`${`[${(performance.now() / 1000).toFixed(1)}s]`.padStart(8)} ${line}`)
}

function tellFailure(error: unknown): void {
  const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC'
  if (isFull) console.error('\nThe disk is full.')
  else console.error(error instanceof Failure || error instanceof ConfigError ? `\n${error.message}` : error)
}
