/**
 * Processes of the machine, known by pid and start time.
 *
 * A pid alone is a poor name: after a crash, or in a container whose pids begin at 1 again, it soon belongs to
 * somebody else. Whatever signals a process it did not just start asks here first.
 */
import { type ChildProcess, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** One process we started, and how it wants to be stopped. */
export interface Ours {
  pid: number
  name: string
  /** What `birthOf(pid)` said when it started. */
  birth: string
  signal: NodeJS.Signals
  /** Stages stop in descending order: what serves clients first, what they need last. */
  stage: number
}

export const stages = { store: 0, application: 1 } as const

/** When the process was born, as the system tells it; null when there is none, or only a zombie. */
export function birthOf(pid: number): string | null {
  if (!existsSync('/proc/self/stat')) return birthByPs(pid)
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, started] = [fields[0], fields[19]]
    return state === 'Z' || state === 'X' || started === undefined ? null : `${bootId()}/${started}`
  } catch {
    return null
  }
}

/** Whether this very process, and not a later one with its pid, still runs. */
export const isRunning = ({ pid, birth }: Pick<Ours, 'pid' | 'birth'>): boolean => birthOf(pid) === birth

/** Resolves with how a child of ours ended: `exit code 0`, `SIGKILL`, or why it never began. */
export const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })

/** A draining gateway may take a while; what is not gone after this is killed. */
const GRACE_MS = 20_000

/**
 * Stops processes stage by stage, each with its own signal, and kills what outstays its grace.
 * @param tell receives one sentence per stage and per process that had to be killed
 */
export async function stopInOrder(ours: readonly Ours[], tell: (line: string) => void): Promise<void> {
  for (const stage of [...new Set(ours.map((one) => one.stage))].sort((a, b) => b - a)) {
    const alive = ours.filter((one) => one.stage === stage && isRunning(one))
    if (alive.length === 0) continue
    tell(`Stopping ${alive.map((one) => one.name).join(', ')}`)
    for (const one of alive) signal(one, one.signal)
    await untilGone(alive, GRACE_MS)
    const stuck = alive.filter(isRunning)
    for (const one of stuck) {
      tell(`${one.name} did not stop within ${GRACE_MS / 1000} s and was killed`)
      signal(one, 'SIGKILL')
    }
    await untilGone(stuck, 5_000)
  }
}

/** Sends a signal to exactly this process; one that is gone already is as good as stopped. */
function signal(one: Ours, name: NodeJS.Signals): void {
  if (!isRunning(one)) return
  try {
    process.kill(one.pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function untilGone(ours: readonly Ours[], ms: number): Promise<void> {
  const end = Date.now() + ms
  while (ours.some(isRunning) && Date.now() < end) await sleep(20)
}

let boot: string | undefined
const bootId = (): string => {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return boot
}

function birthByPs(pid: number): string | null {
  const { stdout, status } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
  const [state, ...started] = stdout?.trim().split(/\s+/) ?? []
  return status !== 0 || !state || state.startsWith('Z') ? null : started.join(' ')
}
