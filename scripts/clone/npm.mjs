/** Runs npm, also where its cache cannot be written. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/**
 * Runs an npm command in a folder, without install scripts. It prints errors only.
 * @param node the Node that runs npm
 * @returns whether it succeeded
 */
export function runNpm(args, folder, node = process.execPath) {
  const { command, first, env } = findNpm(node)
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync(command, [...first, ...args, ...quiet], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return status === 0
}

/**
 * Runs an npm command that changes nothing.
 * @returns its exit status and its output
 */
export function readFromNpm(args, folder, timeout = 60_000) {
  const { command, first, env } = findNpm(process.execPath)
  return spawnSync(command, [...first, ...args], { cwd: folder, env, timeout, encoding: 'utf8', maxBuffer: 2 ** 26 })
}

function findNpm(node) {
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].filter(Boolean).join(delimiter) }
  if (!isWritable(homedir())) env.npm_config_cache = join(tmpdir(), 'parley-npm-cache')
  // npm tells its scripts its own path. Without it, npm is searched on PATH.
  const npm = process.env.npm_execpath
  const [command, first] = npm?.endsWith('.js') ? [node, [npm]] : ['npm', []]
  return { command, first, env }
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
