/**
 * `npm start`: a whole Parley on one machine, with everything it needs, until Ctrl-C.
 *
 * The order of a start: the folder is ours, the ports are free, Redis and Postgres, migrations, gateways and workers,
 * the demo organization. The order of a stop is the leash's (leash.ts): gateways and workers drain, then Redis and
 * Postgres. A first start that fails at anything says why and takes down what it had started.
 */
import { join } from 'node:path'
import { migrate, openSql } from '../store/sql.js'
import { startApplication } from './application.js'
import { openDataFolder, writeWhole } from './data-folder.js'
import { demoOrganization } from './demo.js'
import { Failure } from './failure.js'
import { holdLeash } from './hold.js'
import { keeper } from './keep.js'
import { type Options, parseOptions, USAGE } from './options.js'
import { requirePorts } from './ports.js'
import { startServices } from './services.js'
import { welcome } from './welcome.js'

const HOST = '127.0.0.1'

/** Runs until a signal comes. */
export async function main(args: string[], env: Record<string, string | undefined>): Promise<void> {
  const options = parseOptions(args)
  if (options === undefined) return void console.log(USAGE)

  const folder = await openDataFolder(options.data, tell)
  const hold = holdLeash(tell, folder.record)
  const kept = keeper(tell)
  let stopping: Promise<never> | undefined
  const stop = (code: number) => {
    kept.stop()
    stopping ??= hold.letGo().then(() => {
      folder.record([])
      process.exit(code)
    })
    return stopping
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      tell(stopping ? 'Still stopping' : 'Stopping')
      void stop(0)
    })
  }
  whenNpmIsGone(env, () => void stop(0))

  try {
    await start()
  } catch (error) {
    if (stopping) return stopping
    console.error(error instanceof Failure ? `\n${error.message}` : error)
    return stop(1)
  }

  async function start() {
    const { gateways, workers, port } = options as Options
    const ports = Array.from({ length: gateways }, (_, index) => port + index)
    await requirePorts(HOST, ports)
    const services = await startServices(hold, env, { folder: folder.path, durable: true, run: kept.keep, tell })

    const sql = openSql(services.database_url, 2)
    const applied = await migrate(sql)
    if (applied.length > 0) tell(`Migrated the database (${applied.join(', ')})`)

    const url = `http://${HOST}:${port}`
    const processEnv = {
      DATABASE_URL: services.database_url,
      REDIS_URL: services.redis_url,
      SECRET_KEY: folder.secretKey,
      HOST,
      PUBLIC_URL: url,
      ROOT_REALM: 'demo',
      NODE_ENV: 'development',
      LOG_LEVEL: env.LOG_LEVEL ?? 'info',
    }
    const keepApplication = (kind: 'gateway' | 'worker', name: string, more: Record<string, string>) => {
      const launch = { kind, name, env: { ...processEnv, ...more }, logFile: join(folder.path, 'logs', `${name}.log`) }
      return kept.keep({ name, start: () => startApplication(hold, launch) })
    }
    tell(`Starting ${gateways} gateway(s) and ${workers} worker(s); their logs are in ${join(folder.path, 'logs')}`)
    await Promise.all([
      ...ports.map((each) => keepApplication('gateway', `gateway-${each}`, { PORT: String(each) })),
      ...Array.from({ length: workers }, (_, index) => keepApplication('worker', `worker-${index + 1}`, {})),
    ])

    const users = await demoOrganization({ sql, url, secretKey: folder.secretKey, folder: folder.path, tell })
    await sql.end()
    const about = { url, realm: 'demo', users, gateways: ports.map((each) => `http://${HOST}:${each}`), ...services }
    writeWhole(join(folder.path, 'dev.json'), `${JSON.stringify(about, null, 2)}\n`)
    tell('Ready')
    console.log(welcome(about, folder.path))
  }
}

function tell(line: string): void {
  console.log(`${`[${(performance.now() / 1000).toFixed(1)}s]`.padStart(8)} ${line}`)
}

/** npm that is killed hard takes nobody with it; whoever was started by npm looks whether it is still there. */
function whenNpmIsGone(env: Record<string, string | undefined>, stop: () => void): void {
  if (env.npm_lifecycle_event === undefined) return
  const { ppid } = process
  setInterval(() => process.ppid !== ppid && stop(), 1_000).unref()
}
