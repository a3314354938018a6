/** PgBouncer in front of a Postgres of this machine. It ends with the test process at the latest. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import {
  findProgram,
  libraryEnvironment,
  unpackDebianPackage,
  unpackedFolder,
  unpackFromArchive,
} from '../../../src/dev/debian-package.mjs'
import { freePort } from '../../../src/dev/ports.js'
import { openProcessGroup, type ProcessGroup } from '../../../src/dev/process-group.js'
import { root } from '../../../src/dev/root.js'
import { startServer } from '../../../src/dev/server.js'
import { chooseServerAccount } from '../../../src/dev/server-account.js'

/** A program, and the arguments before its own. */
export interface PgbouncerProgram {
  version: string
  command: string
  args: string[]
  env: Record<string, string>
}

const path = `${process.env.PATH}:/usr/sbin`

/** Finds PgBouncer on PATH, or unpacks it from Debian's archive. Returns undefined when neither is possible. */
export const findPgbouncer = (): PgbouncerProgram | undefined => {
  const installed = findProgram({ path }, 'pgbouncer')
  if (installed !== undefined) return check({ command: installed, args: [], env: {} })
  const cache = join(root, 'node_modules/.cache/parley-pgbouncer')
  const folder = unpackedFolder(cache)
  if (!existsSync(folder)) unpackDebianPackage({ path, cache }, 'pgbouncer', () => {})
  return check({ command: join(folder, 'usr/sbin/pgbouncer'), args: [], env: libraryEnvironment(folder) })
}

/** The PgBouncer of Debian 13, and all that it links to: other releases have other versions of these libraries. */
const DEBIAN_13 = [
  'pgbouncer',
  'libc6',
  'libevent-2.1-7t64',
  'libssl3t64',
  'libcares2',
  'libpam0g',
  'libaudit1',
  'libcap-ng0',
  'libsystemd0',
  'libcap2',
  'libzstd1',
  'libldap2',
  'libsasl2-2',
  'zlib1g',
]

/**
 * Unpacks PgBouncer 1.24 of Debian 13. This version prepares statements also in transaction mode. It runs with its own
 * C library; undefined when it cannot be had.
 */
export const findNewPgbouncer = (): PgbouncerProgram | undefined => {
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
  if (!existsSync(keyring)) return undefined
  const cache = join(root, 'node_modules/.cache/parley-pgbouncer-trixie')
  const folder = unpackedFolder(cache)
  const archive = [{ keyring, site: 'http://deb.debian.org/debian', suite: 'trixie' }]
  if (!existsSync(folder)) unpackFromArchive({ path, cache }, archive, DEBIAN_13, () => {})
  const [machine, loader] =
    process.arch === 'arm64'
      ? ['aarch64-linux-gnu', 'ld-linux-aarch64.so.1']
      : ['x86_64-linux-gnu', 'ld-linux-x86-64.so.2']
  const libraries = join(folder, 'usr/lib', machine)
  const args = ['--library-path', libraries, join(folder, 'usr/sbin/pgbouncer')]
  return check({ command: join(libraries, loader), args, env: {} })
}

const check = (program: Omit<PgbouncerProgram, 'version'>): PgbouncerProgram | undefined => {
  const { status, stdout } = spawnSync(program.command, [...program.args, '--version'], {
    env: program.env,
    encoding: 'utf8',
  })
  const version = /PgBouncer (\d+\.\d+)/.exec(stdout ?? '')?.[1]
  return status === 0 && version !== undefined ? { ...program, version } : undefined
}

export type PoolMode = 'session' | 'transaction' | 'statement'

let group: ProcessGroup | undefined
let count = 0

/**
 * Starts PgBouncer.
 * @param server_url the Postgres behind it
 * @param lines      more lines of its configuration
 * @returns the URL of the same database through it
 */
export const startPgbouncer = async (
  program: PgbouncerProgram,
  server_url: string,
  pool_mode: PoolMode,
  lines: readonly string[] = [],
): Promise<string> => {
  group ??= openProcessGroup(() => {})
  const url = new URL(server_url)
  const folder = join(inject('log_folder'), `pgbouncer-of-test-${process.pid}-${++count}`)
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const files = {
    'users.txt': `"${url.username}" "${url.password}"\n`,
    'pgbouncer.ini': `[databases]
* = host=${url.hostname} port=${url.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${folder}/users.txt
pool_mode = ${pool_mode}
default_pool_size = 40
${lines.join('\n')}
`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  // Like Postgres, PgBouncer refuses to run as root.
  const account = chooseServerAccount(folder, join(folder, 'pgbouncer.ini'), dirname(program.command))
  const { command, args, options } = account.run(program.command, [...program.args, join(folder, 'pgbouncer.ini')])
  await startServer(group, {
    name: 'PgBouncer',
    signal: 'SIGINT',
    command,
    args,
    options: { ...options, env: { PATH: path, ...program.env } },
    logFile: join(folder, 'pgbouncer.log'),
    isReady: (log) => log.includes('process up'),
  })
  url.port = String(port)
  return url.href
}
