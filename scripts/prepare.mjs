/**
 * Makes a clone ready to run: installs the packages and compiles the sources, if they are missing or out of date. It is
 * JavaScript without dependencies, because it runs before packages are installed.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const OLDEST_NODE = 20

/** Prints a line with the seconds since the command started. */
export function tell(line) {
  console.log(`${`[${(performance.now() / 1000).toFixed(1)}s]`.padStart(8)} ${line}`)
}

/** Prints an error message, which says what the user can do, and exits with code 1. */
export function stop(message) {
  console.error(`\n${message}`)
  process.exit(1)
}

/** Installs the packages and builds dist/, each if it is missing or out of date. */
export function prepare() {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    stop(`Parley needs Node ${OLDEST_NODE} or newer; this is ${process.version}. See https://nodejs.org/en/download`)
  }
  if (!isInstalled()) install()
  if (!existsSync(`${root}dist/.stamp`) || readFileSync(`${root}dist/.stamp`, 'utf8') !== stamp()) build()
}

/** Computes a hash of all files that a build depends on. */
export function stamp() {
  const hash = createHash('sha256')
  const files = ['src', 'client/src', 'web', 'reference', 'console'].flatMap((folder) => listFiles(`${root}${folder}`))
  const configuration = ['scripts/bundle.mjs', 'tsconfig.json', 'package-lock.json', 'client/tsconfig.json'].map(
    (name) => `${root}${name}`,
  )
  for (const file of [...files.sort(), ...configuration.filter((path) => existsSync(path))]) {
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

/** Lists the files of a folder and of its subfolders, without installed packages. */
function listFiles(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listFiles(path)
    return entry.isFile() ? [path] : []
  })
}

/** Copies the files that the compiler ignores, the .sql migrations, into the folder of the compiled sources. */
export function copyMigrations(compiled) {
  cpSync(`${root}src`, compiled, { recursive: true, filter: (path) => !/\.[cm]?ts$/.test(path) })
}

/** Whether every package of package-lock.json is installed in its version. Optional ones may be for other systems. */
function isInstalled() {
  const read = (path) => JSON.parse(readFileSync(`${root}${path}`, 'utf8')).packages
  if (!existsSync(`${root}node_modules/.package-lock.json`)) return false
  const installed = read('node_modules/.package-lock.json')
  return Object.entries(read('package-lock.json')).every(
    ([path, wanted]) => path === '' || wanted.optional || installed[path]?.version === wanted.version,
  )
}

function install() {
  tell('Installing packages (npm ci)')
  // With NODE_ENV=production, npm would not install the compiler and the embedded Postgres.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const env = { ...process.env }
  if (!isWritable(homedir())) env.npm_config_cache = join(tmpdir(), 'parley-npm-cache')
  // npm tells its scripts its own path. Without it, npm is searched on PATH.
  const npm = process.env.npm_execpath
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const done = spawnSync(command, [...first, ...args], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (done.status !== 0) {
    stop(
      `The packages could not be installed (npm ci). The installation needs the network and about 500 MB in ${root}. Try again.`,
    )
  }
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function build() {
  tell('Compiling')
  const done = spawnSync(process.execPath, [`${root}scripts/build.mjs`], { stdio: 'inherit' })
  if (done.status === 0) return
  if (!existsSync(`${root}dist`)) stop('The sources do not compile.')
  tell('The sources have errors (npm run check); continuing with what was compiled')
}
