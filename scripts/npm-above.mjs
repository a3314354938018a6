/**
 * Detects that the npm process that started this script has ended.
 *
 * npm starts a script through a shell. When npm is killed, the shell and the script continue. Without this check,
 * `kill` of the process of `npm start` would leave everything running.
 */
import { readFileSync } from 'node:fs'

/** Calls `onEnd` once npm has ended. Does nothing if npm did not start this script, or if the system has no /proc. */
export function watchNpm(onEnd) {
  const npm = process.env.npm_lifecycle_event && readAncestors().find(({ name }) => name.startsWith('npm'))
  if (!npm) return
  const timer = setInterval(() => {
    if (readProcess(npm.pid)?.birth === npm.birth) return
    clearInterval(timer)
    onEnd()
  }, 500)
  timer.unref()
}

function readAncestors() {
  const found = []
  for (let one = readProcess(process.ppid); one && found.length < 4; one = readProcess(one.parent)) found.push(one)
  return found
}

function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const end = stat.lastIndexOf(')')
    const [state, parent, ...rest] = stat.slice(end + 2).split(' ')
    if (state === 'Z' || state === 'X') return undefined
    return { pid, name: stat.slice(stat.indexOf('(') + 1, end), parent: Number(parent), birth: rest[17] }
  } catch {
    return undefined
  }
}
