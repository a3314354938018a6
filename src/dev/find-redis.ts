/**
 * Where a Redis server comes from, when nobody gave us one: the first of these that has one.
 *
 *   1. `redis-server`, then `valkey-server`, on PATH
 *   2. the one an earlier start unpacked
 *   3. on Debian and its kin, the archive: packages are downloaded and unpacked, and nothing is installed
 *
 * The third needs no rights, because apt keeps its lists in a folder of ours. It takes `redis-tools` and not
 * `redis-server`, whose start scripts want more packages: both programs are one binary, which looks at the name it
 * is called by.
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
  /** What the program needs in its environment beside ours: where its libraries lie. */
  env: Record<string, string>
}

export interface Search {
  /** Where programs are looked for, in the form of PATH. */
  path: string
  /** The folder that keeps what was unpacked. */
  cache: string
  /** Receives a sentence when something takes long. */
  tell(line: string): void
}

/** BullMQ and our own scripts ask for nothing newer; Debian 11 and Ubuntu 22.04 have 6.0. */
const OLDEST_MAJOR = 6
const UNPACKED = 'unpacked'

/**
 * The server to start.
 * @throws Failure with the one command that helps on this system
 */
export function findRedis(search: Search): RedisServer {
  const found =
    onPath(search, 'redis-server') ?? onPath(search, 'valkey-server') ?? unpackedIn(search.cache) ?? fromDebian(search)
  if (found !== undefined) return found
  throw new Failure(
    `Parley needs Redis ${OLDEST_MAJOR} or newer (or Valkey), and none was found.\nInstall it with: ${howToInstall(search)}\nOr set REDIS_URL to a Redis you have, and start again.`,
  )
}

function onPath(search: Search, name: string): RedisServer | undefined {
  const command = programOn(search, name)
  return command === undefined ? undefined : ifItRuns({ command, env: {} })
}

function programOn({ path }: Search, name: string): string | undefined {
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

function unpackedIn(cache: string): RedisServer | undefined {
  const root = join(cache, UNPACKED)
  const command = join(root, 'redis-server')
  if (!existsSync(command)) return undefined
  // Debian puts libraries into a folder per architecture, and some packages one level deeper.
  const libraries = [join(root, 'usr/lib'), join(root, 'lib')].flatMap((lib) =>
    existsSync(lib) ? readdirSync(lib).map((name) => join(lib, name)) : [],
  )
  return ifItRuns({ command, env: { LD_LIBRARY_PATH: libraries.join(delimiter) } })
}

/** The server, provided it starts here and is new enough. */
function ifItRuns(server: RedisServer): RedisServer | undefined {
  const { stdout, status } = spawnSync(server.command, ['--version'], { env: server.env, encoding: 'utf8' })
  const major = Number(/v=(\d+)\./.exec(stdout ?? '')?.[1])
  return status === 0 && major >= OLDEST_MAJOR ? server : undefined
}

function fromDebian(search: Search): RedisServer | undefined {
  const apt = programOn(search, 'apt-get')
  const dpkg = programOn(search, 'dpkg')
  if (apt === undefined || dpkg === undefined) return undefined
  for (const kind of ['redis', 'valkey']) {
    search.tell(
      `No Redis on this machine: unpacking ${kind}-tools from the distribution's archive (nothing is installed)`,
    )
    rmSync(search.cache, { recursive: true, force: true })
    if (!download(apt, search.cache, `${kind}-tools`)) continue
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
    const server = unpackedIn(search.cache)
    if (server !== undefined) return server
  }
  return undefined
}

/** Downloads a package and what it needs beyond the installed ones, verified by apt as always. */
function download(apt: string, folder: string, name: string): boolean {
  for (const sub of ['state/lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, sub), { recursive: true })
  const options = [
    `Dir::State=${join(folder, 'state')}`,
    'Dir::State::status=/var/lib/dpkg/status',
    `Dir::Cache=${join(folder, 'cache')}`,
    'Debug::NoLocking=1',
    // As root, apt would drop to an account that may not enter our folder.
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

function howToInstall(search: Search): string {
  const ways = {
    brew: 'brew install valkey',
    'apt-get': 'sudo apt-get install redis-server',
    dnf: 'sudo dnf install valkey',
    pacman: 'sudo pacman -S valkey',
    zypper: 'sudo zypper install redis',
  }
  return (
    Object.entries(ways).find(([tool]) => programOn(search, tool) !== undefined)?.[1] ??
    'the package manager of your system (package redis or valkey)'
  )
}
