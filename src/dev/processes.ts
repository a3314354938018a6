/**
 * Processes of the machine, identified by pid and start time.
 *
 * A pid alone does not identify a process: after a crash, or in a container whose pids begin at 1 again, another
 * process can have it. Code that signals a process it did not just start compares the start time first.
 */
import { type ChildProcess, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process that Parley started, and how to stop it. */
export interface ManagedProcess {
  pid: number
  name: string
  /** The value of `readBirth(pid)` when it started. */
  birth: string
  /** The signal that asks it to stop. */
  signal: NodeJS.Signals
  /** Stages stop in descending order: first what serves clients, then the stores it needs. */
  stage: number
}

/** The stages of `ManagedProcess.stage`. */
export const stages = { store: 0, application: 1 } as const

/**
 * Reads when a process started, in the system's own format. Returns null when there is no such process, or only a
 * zombie.
 */
export function readBirth(pid: number): string | null {
  if (!existsSync('/proc/self/stat')) return readBirthFromPs(pid)
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in parentheses and can itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, started] = [fields[0], fields[19]]
    return state === 'Z' || state === 'X' || started === undefined ? null : `${readBootId()}/${started}`
  } catch {
    return null
  }
}

/** Whether this process, and not a later one with its pid, still runs. */
export const isRunning = ({ pid, birth }: Pick<ManagedProcess, 'pid' | 'birth'>): boolean => readBirth(pid) === birth

/**
 * Waits for the end of a child process, and resolves with how it ended. It resolves with `exit code 0`, `SIGKILL`, or
 * the error that prevented the start of the process.
 */
export const waitForExit = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })

/** How long a process may take to stop, because a gateway drains its connections. Then it gets SIGKILL. */
export const STOP_TIMEOUT_MS = 30_000

/**
 * Stops processes stage by stage, each with its own signal. It kills those that do not stop in time.
 * @param tell receives one sentence per stage and per process that had to be killed
 */
export async function stopInOrder(processes: readonly ManagedProcess[], tell: (line: string) => void): Promise<void> {
  for (const stage of [...new Set(processes.map((managed) => managed.stage))].sort((a, b) => b - a)) {
    const alive = processes.filter((managed) => managed.stage === stage && isRunning(managed))
    if (alive.length === 0) continue
    tell(`Stopping ${alive.map((managed) => managed.name).join(', ')}`)
    for (const managed of alive) sendSignal(managed, managed.signal)
    await waitUntilGone(alive, STOP_TIMEOUT_MS)
    const stuck = alive.filter(isRunning)
    for (const managed of stuck) {
      tell(`${managed.name} did not stop within ${STOP_TIMEOUT_MS / 1000} s and was killed`)
      sendSignal(managed, 'SIGKILL')
    }
    await waitUntilGone(stuck, 5_000)
  }
}

/** Sends a signal to exactly this process, and does nothing when it has ended. */
function sendSignal(managed: ManagedProcess, name: NodeJS.Signals): void {
  if (!isRunning(managed)) return
  try {
    process.kill(managed.pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function waitUntilGone(processes: readonly ManagedProcess[], ms: number): Promise<void> {
  const end = Date.now() + ms
  while (processes.some(isRunning) && Date.now() < end) await sleep(20)
}

let bootId: string | undefined
const readBootId = (): string => {
  bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return bootId
}

function readBirthFromPs(pid: number): string | null {
  const { stdout, status } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
  const [state, ...started] = stdout?.trim().split(/\s+/) ?? []
  return status !== 0 || !state || state.startsWith('Z') ? null : started.join(' ')
}
