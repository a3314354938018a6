/**
 * Detects that a process that started this script has ended: npm, or the same script on another Node (runtime.mjs).
 *
 * npm starts a script through a shell. When npm is killed, the shell and the script continue. Without this check,
 * `kill` of the process of `npm start` would leave everything running.
 */
import { readFileSync } from 'node:fs'
import { starter } from './clone/runtime.mjs'

/** Calls `onEnd` once a starter has ended. Does nothing if there is none, or if the system has no /proc. */
export function watchStarters(onEnd) {
  const isNpm = ({ name }) => process.env.npm_lifecycle_event !== undefined && name.startsWith('npm')
  const isSameScript = ({ pid }) => pid === starter
  const ancestors = readAncestors()
  // It ended before this check began.
  if (starter !== undefined && ancestors.length > 0 && !ancestors.some(isSameScript)) return onEnd()
  const starters = ancestors.filter((one) => isNpm(one) || isSameScript(one))
  if (starters.length === 0) return
  const timer = setInterval(() => {
    if (starters.every(({ pid, birth }) => readProcess(pid)?.birth === birth)) return
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
