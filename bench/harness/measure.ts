/** CPU time and memory of processes, medians, percentiles, and calls at a constant rate. Linux only (/proc). */
import { readdirSync, readFileSync } from 'node:fs'

/** The unit of CPU time in /proc, the same on every Linux: USER_HZ. */
const TICKS_PER_SECOND = 100

/** Reads the CPU seconds, user and system, that a process has used so far. Exact to 10 ms. */
export const readCpuSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The second field is the program's name in parentheses, which can contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Reads the CPU seconds of a process and its children. Children that have ended count, too. */
export const readCpuSecondsOfTree = (pid: number): number => {
  const ended = readOrZero(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
  })
  return [pid, ...listChildren(pid)].reduce((sum, one) => sum + readOrZero(() => readCpuSeconds(one)), ended)
}

/** Reads the resident memory of a process, in bytes. */
export const readResidentBytes = (pid: number): number => {
  const match = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
  return Number(match?.[1] ?? 0) * 1024
}

/** Reads the resident memory of a process and its children, in bytes. */
export const readResidentBytesOfTree = (pid: number): number => {
  return [pid, ...listChildren(pid)].reduce((sum, one) => sum + readOrZero(() => readResidentBytes(one)), 0)
}

const listChildren = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readParent(name) === pid)
    .map(Number)

const readParent = (pid: string): number =>
  readOrZero(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  })

/** Zero, when the process has ended meanwhile. */
const readOrZero = (read: () => number): number => {
  try {
    return read()
  } catch {
    return 0
  }
}

/** Returns the middle value. Of an even number of values, it returns the mean of the two in the middle. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

/**
 * Returns a percentile of the values. It is the smallest value v for which at least the `share` (0 to 1) of the values
 * are less than or equal to v.
 */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** The wall clock in milliseconds with fractions. All processes of this machine read the same clock. */
export const now = (): number => performance.timeOrigin + performance.now()

/**
 * Calls `act` `count` times, `rate` times per second, each call at its due time.
 *
 * A late call does not delay the calls after it, so a pause of the server does not reduce the load (no coordinated
 * omission).
 * @returns the due times
 */
export const runAtRate = async (
  rate: number,
  count: number,
  act: (i: number, due: number) => void,
): Promise<number[]> => {
  const start = now()
  const dueTimes: number[] = []
  for (let i = 0; i < count; i++) {
    const due = start + (i * 1000) / rate
    const wait = due - now()
    if (wait > 0.5) await new Promise((resolve) => setTimeout(resolve, wait))
    // Timers have whole milliseconds, and what is done too early counts from then.
    const counted = Math.min(due, now())
    dueTimes.push(counted)
    act(i, counted)
  }
  return dueTimes
}
