/** What the benches read off processes and samples: CPU time, memory, medians, percentiles. Linux only (/proc). */
import { readFileSync } from 'node:fs'

/** /proc counts in these, on every Linux: USER_HZ. */
const TICKS_PER_SECOND = 100

/** CPU seconds, user and system, that a process has used so far. Exact to 10 ms. */
export const cpuSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The second field is the program's name in parentheses, which may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Bytes of a process that are in memory now. */
export const residentBytes = (pid: number): number => {
  const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
  return Number(found?.[1] ?? 0) * 1024
}

/** The middle value; of an even number of values, the mean of the two in the middle. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

/** The smallest value that at least the `share` (0 to 1) of all values do not exceed. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** The wall clock in milliseconds with fractions: the same for all processes of this machine. */
export const now = (): number => performance.timeOrigin + performance.now()

/**
 * Calls `act` `count` times, `rate` times a second, each at its own moment: a call that comes late does not move the
 * later ones, so a server that stalls is not spared the load of the pause.
 * @returns when each call was due
 */
export const atPace = async (rate: number, count: number, act: (i: number, due: number) => void): Promise<number[]> => {
  const start = now()
  const dues: number[] = []
  for (let i = 0; i < count; i++) {
    const due = start + (i * 1000) / rate
    const wait = due - now()
    if (wait > 0.5) await new Promise((resolve) => setTimeout(resolve, wait))
    dues.push(due)
    act(i, due)
  }
  return dues
}
