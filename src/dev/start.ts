/**
 * `npm start`: runs Parley on one machine, with everything it needs, until Ctrl-C.
 *
 * A start opens the data folder, checks that the ports are free, starts Redis and Postgres, migrates the database,
 * starts gateways and workers, and creates the demo organization. A stop is carried out by the reaper (reaper.ts):
 * gateways and workers drain, then Redis and Postgres stop. When a step of the start fails, it prints the reason and
 * stops what was already started.
 */
import { join } from 'node:path'
import { openAdministration } from '../administration/administration.js'
import { Config, ConfigError, parseConfig } from '../config/config.js'
import { type ApplicationSpec, startApplication } from './application.js'
import { type DataFolder, openDataFolder, writeAtomically } from './data-folder.js'
import { createDemoOrganization, REALM } from './demo.js'
import { Failure } from './failure.js'
import { type Options, parseOptions, USAGE } from './options.js'
import { freePort, requireFreePorts } from './ports.js'
import { openProcessGroup, type ProcessGroup } from './process-group.js'
import { startServices } from './services.js'
import { createSupervisor, type Supervisor } from './supervisor.js'
import { tell } from './terminal.mjs'
import { type DevJson, welcomeText } from './welcome.js'

type Environment = Record<string, string | undefined>

const HOST = '127.0.0.1'

/** Runs until the process receives SIGINT, SIGTERM or SIGHUP. */
export async function main(args: string[], env: Environment): Promise<void> {
  try {
    const options = parseOptions(args)
    if (options === undefined) console.log(USAGE)
    else await run(options, await openDataFolder(options.data, tell), env)
  } catch (error) {
    printFailure(error)
    process.exit(1)
  }
}

/** What the steps of a start need. */
interface StartContext {
  options: Options
  folder: DataFolder
  env: Environment
  group: ProcessGroup
  supervisor: Supervisor
}

async function run(options: Options, folder: DataFolder, env: Environment): Promise<void> {
  const group = openProcessGroup(tell, folder.record)
  const supervisor = createSupervisor(tell)
  let stopping: Promise<never> | undefined
  const stop = (code: number) => {
    supervisor.stop()
    stopping ??= group.stop().then(() => {
      folder.record([])
      tell('Stopped')
      process.exit(code)
    })
    return stopping
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      // npm and the terminal can both send SIGINT for one Ctrl-C.
      if (stopping === undefined) tell('Stopping')
      void stop(0)
    })
  }

  try {
    const devJson = await startEverything({ options, folder, env, group, supervisor })
    tell('Ready')
    console.log(welcomeText(devJson, folder.path))
  } catch (error) {
    // While everything stops, a failure is only a consequence of that.
    if (stopping === undefined) printFailure(error)
    await stop(1)
  }
}

async function startEverything({ options, folder, env, group, supervisor }: StartContext): Promise<DevJson> {
  const ports = Array.from({ length: options.gateways }, (_, index) => options.port + index)
  await requireFreePorts(HOST, ports)
  const services = await startServices(group, env, { folder: folder.path, durable: true, run: supervisor.start, tell })
  const url = `http://${HOST}:${options.port}`
  const processEnv = {
    HOST,
    PUBLIC_URL: url,
    ROOT_REALM: REALM,
    NODE_ENV: 'development',
    // No load balancer is in front of these gateways.
    DRAIN_NOTICE_MS: '0',
    UPLOADS_DIR: join(folder.path, 'uploads'),
    MAIL_OUTBOX: join(folder.path, 'outbox'),
    SECRET_KEY: folder.secretKey,
    ...selectVariables(env),
    DATABASE_URL: services.database_url,
    REDIS_URL: services.redis_url,
    OPERATIONS_PORT: '0',
  }
  const secretKey = processEnv.SECRET_KEY.split(',', 1)[0] as string
  await using administration = openAdministration(parseConfig(processEnv))
  const applied = await administration.migrate().catch((error: Error) => {
    throw new Failure(`The database could not be brought up to date: ${error.message}`)
  })
  if (applied.length > 0) tell(`Migrated the database (${applied.join(', ')})`)

  let operationsPort = Number(env.OPERATIONS_PORT || 0)
  const operationsPorts: number[] = []
  const launch = async (kind: ApplicationSpec['kind'], name: string, more: Record<string, string>) => {
    // Each process needs a port of its own, and keeps it when it is started again: the following ones, or a free one.
    const port = operationsPort === 0 ? await freePort() : operationsPort++
    operationsPorts.push(port)
    const spec = {
      kind,
      name,
      env: { ...processEnv, OPERATIONS_PORT: String(port), ...more },
      logFile: join(folder.path, 'logs', `${name}.log`),
    }
    return supervisor.start({ name, start: () => startApplication(group, spec) })
  }
  tell(`Starting gateways and workers; their logs are in ${join(folder.path, 'logs')}`)
  await Promise.all([
    ...ports.map((port) => launch('gateway', `gateway-${port}`, { PORT: String(port) })),
    ...Array.from({ length: options.workers }, (_, index) => launch('worker', `worker-${index + 1}`, {})),
  ])

  const users = await createDemoOrganization({ administration, secretKey, url, tell })
  const devJson = {
    url,
    realm: REALM,
    users,
    gateways: ports.map((port) => `http://${HOST}:${port}`),
    console: `http://${HOST}:${operationsPorts[0]}`,
    ...services,
  }
  writeAtomically(join(folder.path, 'dev.json'), `${JSON.stringify(devJson, null, 2)}\n`)
  return devJson
}

/** The variables of the configuration that are set: they go to every gateway and worker. */
function selectVariables(env: Environment): Record<string, string> {
  const names = Object.keys(Config.shape)
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}

function printFailure(error: unknown): void {
  const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC'
  if (isFull) console.error('\nThe disk is full.')
  else console.error(error instanceof Failure || error instanceof ConfigError ? `\n${error.message}` : error)
}
