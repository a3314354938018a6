/**
 * Installs the packages of a clone. Those that the build and the product need are in the root. The others are in the
 * folders that use them, each with a package.json and a package-lock.json of its own. The command or test that uses
 * such a folder installs its packages, so `npm start` downloads none of them.
 *
 * 1. Every package is installed by `npm ci`: in the version and with the hash that a package-lock.json states.
 * 2. A folder whose packages are up to date is not installed again.
 * 3. npm runs on a supported Node: on another one it leaves out optional packages, such as the native part of Rolldown,
 *    without a word.
 *
 * It is JavaScript without dependencies, because it runs before packages are installed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { stop, tell } from '../../src/dev/terminal.mjs'
import { runNpm } from './npm.mjs'
import { root } from './root.mjs'
import { provideInstaller } from './runtime.mjs'

/**
 * Installs the packages of a folder, if one is missing or out of date.
 * @param folder relative to the root, such as `bench`; without it, the packages of the root
 */
export function installPackages(folder = '') {
  const path = folder === '' ? root : `${root}${folder}/`
  // npm would install the packages of the next folder above that has some, and remove all others there.
  if (!existsSync(`${path}package.json`)) throw new Error(`${folder}/ has no package.json`)
  if (isInstalled(path)) return
  tell(folder === '' ? 'Installing packages (npm ci)' : `Installing packages of ${folder}/ (npm ci)`)
  // With NODE_ENV=production, npm would not install the compiler and the embedded Postgres.
  if (!runNpm(['ci', '--include=dev'], path, folder === '' ? provideInstaller() : process.execPath)) {
    stop(
      `The packages could not be installed (npm ci). The installation needs the network, and at most 400 MB in ${path}. Try again.`,
    )
  }
  if (folder === '') spawnSync(process.execPath, [`${root}scripts/prune-uwebsockets.mjs`], { stdio: 'inherit' })
}

/**
 * Whether every package of package-lock.json is installed in its version. Packages for other systems do not count.
 * @param path of the folder, with a slash at its end
 */
export function isInstalled(path) {
  const read = (name) => JSON.parse(readFileSync(`${path}${name}`, 'utf8')).packages
  if (!existsSync(`${path}node_modules/.package-lock.json`)) return false
  const installed = read('node_modules/.package-lock.json')
  return Object.entries(read('package-lock.json')).every(
    // The root, client/ and web/ are not installed: a release changes their versions only.
    ([name, wanted]) =>
      !name.includes('node_modules/') || !isNeeded(wanted) || installed[name]?.version === wanted.version,
  )
}

/**
 * Whether this system needs a package. Of the optional ones, those that name this system: native parts, without which
 * their packages fail. npm leaves them out where its Node is too old for them (3).
 */
export function isNeeded({ optional, os, cpu, libc }) {
  if (!optional) return true
  const includes = (list, value) => list === undefined || [list].flat().includes(value)
  const namesSystem = os !== undefined || cpu !== undefined
  return namesSystem && includes(os, process.platform) && includes(cpu, process.arch) && includes(libc, 'glibc')
}
