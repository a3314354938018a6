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
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
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
const UNPACKED = 'unpacked'

/**
 * Finds the server to start.
 * @throws Failure with the command that installs one on this system
 */
export function findRedis(search: Search): RedisServer {
  const found =
    findOnPath(search, 'redis-server') ??
    findOnPath(search, 'valkey-server') ??
    findUnpacked(search.cache) ??
    unpackDebianPackage(search)
  if (found !== undefined) return found
  throw new Failure(
    `Parley needs Redis ${OLDEST_MAJOR} or newer (or Valkey), and none was found.\nInstall it with: ${installCommand(search)}\nOr set REDIS_URL to a Redis you have, and start again.`,
  )
}

function findOnPath(search: Search, name: string): RedisServer | undefined {
  const command = findProgram(search, name)
  return command === undefined ? undefined : checkVersion({ command, env: {} })
}

function findProgram({ path }: Search, name: string): string | undefined {
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

function findUnpacked(cache: string): RedisServer | undefined {
  const root = join(cache, UNPACKED)
  const command = join(root, 'redis-server')
  if (!existsSync(command)) return undefined
  // Debian puts libraries into a folder per architecture, and some packages one level deeper.
  const libraries = [join(root, 'usr/lib'), join(root, 'lib')].flatMap((lib) =>
    existsSync(lib) ? readdirSync(lib).map((name) => join(lib, name)) : [],
  )
  return checkVersion({ command, env: { LD_LIBRARY_PATH: libraries.join(delimiter) } })
}

/** Returns the server if it starts on this machine and is new enough. */
function checkVersion(server: RedisServer): RedisServer | undefined {
  const { stdout, status } = spawnSync(server.command, ['--version'], { env: server.env, encoding: 'utf8' })
  const major = Number(/v=(\d+)\./.exec(stdout ?? '')?.[1])
  return status === 0 && major >= OLDEST_MAJOR ? server : undefined
}

function unpackDebianPackage(search: Search): RedisServer | undefined {
  const apt = findProgram(search, 'apt-get')
  const dpkg = findProgram(search, 'dpkg')
  if (apt === undefined || dpkg === undefined) return undefined
  for (const kind of ['redis', 'valkey']) {
    search.tell(
      `No Redis on this machine: unpacking ${kind}-tools from the distribution's archive (nothing is installed)`,
    )
    rmSync(search.cache, { recursive: true, force: true })
    if (!downloadPackage(apt, search.cache, `${kind}-tools`)) continue
    const root = join(search.cache, 'unpacking')
    const archives = join(search.cache, 'cache/archives')
    for (const name of readdirSync(archives).filter((each) => each.endsWith('.deb'))) {
      spawnSync(dpkg, ['-x', join(archives, name), root])
    }
    const binary = `usr/bin/${kind}-check-rdb`
    if (!existsSync(join(root, binary))) continue
    symlinkSync(binary, join(root, 'redis-server'))
    renameSync(root, join(search.cache, UNPACKED))
    for (const name of ['state', 'cache']) rmSync(join(search.cache, name), { recursive: true, force: true })
    const server = findUnpacked(search.cache)
    if (server !== undefined) return server
  }
  return undefined
}

/** Downloads a package and those of its dependencies that are not installed. apt verifies their signatures. */
function downloadPackage(apt: string, folder: string, name: string): boolean {
  for (const sub of ['state/lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, sub), { recursive: true })
  const options = [
    `Dir::State=${join(folder, 'state')}`,
    'Dir::State::status=/var/lib/dpkg/status',
    `Dir::Cache=${join(folder, 'cache')}`,
    'Debug::NoLocking=1',
    // As root, apt would switch to an account that may have no access to the cache folder.
    'APT::Sandbox::User=root',
    'Acquire::Retries=2',
  ].flatMap((option) => ['-o', option])
  const log = ['update', `install --download-only --no-install-recommends --yes ${name}`].map((command) => {
    const done = spawnSync(apt, [...options, ...command.split(' ')], { encoding: 'utf8' })
    return { status: done.status, text: `${done.stdout}${done.stderr}` }
  })
  writeFileSync(join(folder, 'apt.log'), log.map(({ text }) => text).join('\n'))
  return log.at(-1)?.status === 0
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
