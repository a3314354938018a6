/**
 * Finds a Redis server, when REDIS_URL is not set. The first of these sources that has one is used:
 *
 *   1. `redis-server`, then `valkey-server`, on PATH
 *   2. the server that an earlier start unpacked
 *   3. on Debian and Ubuntu, the package archive: the package is downloaded and unpacked, and not installed
 *
 * The third source needs no root, because apt writes its lists to the cache folder. It unpacks `redis-tools` instead of
 * `redis-server`, whose start scripts depend on more packages. `redis-check-rdb` of that package and `redis-server` are
 * the same binary, which decides by the name it is started with.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram, libraryEnvironment, unpackDebianPackage, unpackedFolder } from './debian-package.mjs'
import { Failure } from './failure.js'

export interface RedisServer {
  command: string
  /** The environment of the program: where its libraries are. */
  env: Record<string, string>
}

export interface Search {
  /** The folders in which programs are searched, in the format of PATH. */
  path: string
  /** The folder of the unpacked server. */
  cache: string
  /** Receives a sentence when a step takes long. */
  tell(line: string): void
}

/** BullMQ and the Lua scripts of Parley run on 6.0, the version of Debian 11 and Ubuntu 22.04. */
const OLDEST_MAJOR = 6

/** Finds the server to start. Throws a Failure with the command that installs one on this system. */
export function findRedis(search: Search): RedisServer {
  const found =
    findOnPath(search, 'redis-server') ??
    findOnPath(search, 'valkey-server') ??
    findUnpacked(search.cache) ??
    unpackRedisTools(search)
  if (found !== undefined) return found
  throw new Failure(
    `Parley needs Redis ${OLDEST_MAJOR} or newer (or Valkey), and none was found.\nInstall it with: ${installCommand(search)}\nOr set REDIS_URL to a Redis you have, and start again.`,
  )
}

function findOnPath(search: Search, name: string): RedisServer | undefined {
  const command = findProgram(search, name)
  return command === undefined ? undefined : checkVersion({ command, env: {} })
}

function findUnpacked(cache: string): RedisServer | undefined {
  const root = unpackedFolder(cache)
  const command = join(root, 'redis-server')
  return existsSync(command) ? checkVersion({ command, env: libraryEnvironment(root) }) : undefined
}

/** Returns the server if it starts on this machine and is new enough. */
function checkVersion(server: RedisServer): RedisServer | undefined {
  const { stdout, status } = spawnSync(server.command, ['--version'], { env: server.env, encoding: 'utf8' })
  const major = Number(/v=(\d+)\./.exec(stdout ?? '')?.[1])
  return status === 0 && major >= OLDEST_MAJOR ? server : undefined
}

function unpackRedisTools(search: Search): RedisServer | undefined {
  for (const kind of ['redis', 'valkey']) {
    const tell = () =>
      search.tell(
        `No Redis on this machine: unpacking ${kind}-tools from the distribution's archive (nothing is installed)`,
      )
    const root = unpackDebianPackage(search, `${kind}-tools`, tell)
    if (root === undefined) continue
    const binary = `usr/bin/${kind}-check-rdb`
    if (!existsSync(join(root, binary))) continue
    symlinkSync(binary, join(root, 'redis-server'))
    const server = findUnpacked(search.cache)
    if (server !== undefined) return server
  }
  return undefined
}

function installCommand(search: Search): string {
  const commands = {
    brew: 'brew install valkey',
    'apt-get': 'sudo apt-get install redis-server',
    dnf: 'sudo dnf install valkey',
    pacman: 'sudo pacman -S valkey',
    zypper: 'sudo zypper install redis',
  }
  return (
    Object.entries(commands).find(([tool]) => findProgram(search, tool) !== undefined)?.[1] ??
    'the package manager of your system (package redis or valkey)'
  )
}
