/**
 * Notices when the npm that runs us is gone.
 *
 * npm starts a script through a shell. Killed, it takes neither the shell nor the script with it, so `kill` on what
 * somebody started as `npm start` would leave everything running.
 */
import { readFileSync } from 'node:fs'

/** Calls `gone` once npm has ended. Does nothing when npm did not start us, or where the system has no /proc. */
export function watchNpm(gone) {
  const npm = process.env.npm_lifecycle_event && ancestors().find(({ name }) => name.startsWith('npm'))
  if (!npm) return
  const timer = setInterval(() => {
    if (readProcess(npm.pid)?.birth === npm.birth) return
    clearInterval(timer)
    gone()
  }, 500)
  timer.unref()
}

function ancestors() {
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
