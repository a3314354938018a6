/** Versions of Node on which the scripts must start, from the npm registry. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../../../src/dev/root.js'

/**
 * Returns the file of a version of Node, which is fetched once per clone.
 * @returns undefined where the registry cannot be reached, and on other systems than Linux
 */
export const findOtherNode = (version: string): string | undefined => {
  const folder = join(root, 'node_modules/.cache/parley-test-nodes', version)
  const name = `node-linux-${process.arch}`
  const file = join(folder, 'node_modules', name, 'bin/node')
  if (process.platform !== 'linux') return undefined
  if (existsSync(file)) return file
  mkdirSync(folder, { recursive: true })
  const quiet = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  spawnSync('npm', ['install', '--prefix', folder, ...quiet, `${name}@${version}`], { stdio: 'ignore', cwd: folder })
  return existsSync(file) ? file : undefined
}

/**
 * Returns the command that starts another Node with a new enough C library. uWebSockets needs that library: it is that
 * of the machine, or the one that was brought for the Node of this process. The second is the loader of the library,
 * with Node as its argument, so such a process cannot start further ones of its kind: a gateway decodes no pictures.
 */
export const startOnNewLibrary = (node: string): [command: string, ...args: string[]] => {
  const folder = join(dirname(dirname(process.execPath)), 'lib')
  const loader = existsSync(folder) ? readdirSync(folder).find((name) => name.startsWith('ld-linux')) : undefined
  return loader === undefined ? [node] : [join(folder, loader), '--library-path', folder, node]
}
