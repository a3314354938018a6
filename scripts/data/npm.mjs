/** Packages of npm that only the programs which write data files need: in exact versions, below node_modules/.cache. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { stop } from '../../src/dev/terminal.mjs'
import { root } from '../clone/root.mjs'

/** Installs a package, such as `dejavu-fonts-ttf@2.37.3`, if it is missing. Returns its folder. */
export function installNpmPackage(requirement) {
  const folder = `${root}node_modules/.cache/parley-data/npm-${requirement}`
  const name = requirement.slice(0, requirement.lastIndexOf('@'))
  if (!existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`
    mkdirSync(fresh, { recursive: true })
    const options = ['--prefix', fresh, '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
    const { status } = spawnSync('npm', ['install', ...options, requirement], { stdio: 'inherit' })
    if (status !== 0) {
      rmSync(fresh, { recursive: true, force: true })
      stop(`The sources of the data need the registry of npm: ${requirement} could not be installed.`)
    }
    renameSync(fresh, folder)
  }
  return `${folder}/node_modules/${name}`
}
