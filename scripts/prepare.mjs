/**
 * Makes a clone ready to run: installs the packages, compiles the sources, if they are missing or out of date, and
 * enters the supported runtime. It is JavaScript without dependencies, because it runs before packages are installed.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stop, tell } from '../src/dev/terminal.mjs'
import { writeCommit } from './clone/commit.mjs'
import { installPackages } from './clone/packages.mjs'
import { root } from './clone/root.mjs'
import { enterRuntime, isRuntime, requirePossibleRuntime } from './clone/runtime.mjs'

export { root, stop, tell }

/**
 * Installs the packages of the root, enters the runtime, and builds dist/. Each step runs only if its result is missing
 * or out of date.
 */
export async function prepare() {
  await prepareTools()
  if (!existsSync(`${root}dist/.stamp`) || readFileSync(`${root}dist/.stamp`, 'utf8') !== stamp()) build()
  // The same sources can be those of another commit.
  else writeCommit(`${root}dist`)
}

/**
 * Installs the packages of the root, and enters the runtime. Installs the packages if one is missing or out of date.
 */
export async function prepareTools() {
  requirePossibleRuntime()
  installPackages()
  await enterRuntime()
}

/**
 * Prepares the clone for a program that cannot start again on another Node. If this Node is not the runtime, it names
 * the command that can start the program, and stops.
 */
export async function prepareInPlace(command) {
  if (!isRuntime()) stop(`This Node is not the runtime of Parley. Start it with: ${command}`)
  await prepare()
}

/** Computes a hash of all files that a build depends on. */
export function stamp() {
  const hash = createHash('sha256')
  const files = ['src', 'rules', 'client/src', 'web', 'reference', 'console'].flatMap((folder) =>
    listFiles(`${root}${folder}`),
  )
  const configuration = [
    'scripts/bundle.mjs',
    'tsconfig.json',
    'package-lock.json',
    'client/tsconfig.json',
    'client/tsconfig.commonjs.json',
  ].map((name) => `${root}${name}`)
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

/**
 * Compiles src/ to a folder, and rules/ to its subfolder rules/. There, `imports` of package.json finds the rules.
 * The compiler follows no import, because each folder keeps its own files below one root.
 * @returns whether that succeeded
 */
export function compileSources(folder) {
  const tsc = [`${root}node_modules/typescript/bin/tsc`, '--noCheck', '--noResolve']
  const run = (args) => spawnSync(process.execPath, [...tsc, ...args], { stdio: 'inherit' }).status === 0
  return (
    run(['-p', `${root}tsconfig.json`, '--rootDir', `${root}src`, '--outDir', folder]) &&
    run(['-p', `${root}rules`, '--outDir', `${folder}/rules`])
  )
}

/**
 * Copies the files that the compiler ignores into the folder of compiled sources. These files are the .sql migrations.
 */
export function copyMigrations(compiled) {
  cpSync(`${root}src`, compiled, { recursive: true, filter: (path) => !/\.[cm]?ts$/.test(path) })
}

function build() {
  tell('Compiling')
  const done = spawnSync(process.execPath, [`${root}scripts/build.mjs`], { stdio: 'inherit' })
  if (done.status === 0) return
  if (!existsSync(`${root}dist`)) stop('The sources do not compile.')
  tell('The sources have errors (npm run check); continuing with what was compiled')
}
