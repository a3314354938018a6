/** The machine of a run: what it is, and the share of its CPU that other work takes. Linux only (/proc). */
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem } from 'node:os'

/** The unit of CPU time in /proc, the same on every Linux: USER_HZ. */
const TICKS_PER_SECOND = 100

/** A round with a larger share of other work is disturbed. */
export const MOST_OTHER_WORK = 0.05
/** How often a disturbed round is repeated. */
const REPEATS = 2
/** How many rounds of one benchmark, or of one peer, are repeated: a machine that is shared all the time stays so. */
const MOST_REPEATS = 10

/** Describes the machine in one line. */
export const describeMachine = (): string => {
  const model = cpus()[0]?.model.trim() ?? ''
  const gibibytes = Math.round(totalmem() / 1024 ** 3)
  return `${availableParallelism()} cores (${model === '' ? process.arch : model}), ${gibibytes} GiB, Linux ${release()}`
}

/** How many rounds were measured, repeated because of other work, and disturbed even in the last repetition. */
export interface RoundCounts {
  measured: number
  repeated: number
  disturbed: number
  /** the share of the CPU time of all cores that other work took in each counted round */
  shares: number[]
}

/** Counts that begin with no round. */
export const createRoundCounts = (): RoundCounts => ({ measured: 0, repeated: 0, disturbed: 0, shares: [] })

/**
 * Measures a round, again when other work took more than 5 % of the CPU time of all cores meanwhile.
 * @returns the first undisturbed round; when all are disturbed, the one with the least other work
 */
const measureUndisturbed = async <T>(counts: RoundCounts, measure: () => Promise<T>): Promise<T> => {
  let best: { share: number; result: T } | undefined
  for (let i = 0; i <= REPEATS && (i === 0 || counts.repeated < MOST_REPEATS); i++) {
    if (i > 0) counts.repeated += 1
    const before = readTimes()
    const result = await measure()
    const share = shareOfOtherWork(before, readTimes())
    if (best === undefined || share < best.share) best = { share, result }
    if (share <= MOST_OTHER_WORK) break
  }
  if (best === undefined) throw new Error('no round was measured')
  counts.measured += 1
  counts.shares.push(best.share)
  if (best.share > MOST_OTHER_WORK) counts.disturbed += 1
  return best.result
}

/**
 * Measures `count` rounds, one after the other.
 * @param isRepeating false measures each round once, whatever else the machine does
 */
export const measureRounds = async <T>(
  counts: RoundCounts,
  { count, isRepeating }: { count: number; isRepeating: boolean },
  measure: () => Promise<T>,
): Promise<T[]> => {
  const results: T[] = []
  while (results.length < count) results.push(isRepeating ? await measureUndisturbed(counts, measure) : await measure())
  return results
}

/** CPU seconds: of all cores since the start of the machine, those not idle, and those of this run. */
interface Times {
  all: number
  busy: number
  own: number
}

/** What is neither idle nor of the run: other processes, threads of the kernel, and other virtual machines (steal). */
const shareOfOtherWork = (before: Times, after: Times): number => {
  const other = after.busy - before.busy - (after.own - before.own)
  return Math.max(0, other) / Math.max(after.all - before.all, 1 / TICKS_PER_SECOND)
}

const readTimes = (): Times => {
  const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n')
  // user, nice, system, idle, iowait, irq, softirq, steal
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, each) => sum + each, 0)
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0)
  return { all: all / TICKS_PER_SECOND, busy: (all - idle) / TICKS_PER_SECOND, own: readOwnSeconds() }
}

/** The CPU seconds of this process and its descendants, also of those that have ended. */
const readOwnSeconds = (): number => {
  const processes = new Map<number, { parent: number; seconds: number }>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
      processes.set(Number(name), { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND })
    } catch {
      // The process has ended. The time of a child is then in the fields of its parent.
    }
  }
  const isOwn = (pid: number): boolean => {
    if (pid === process.pid) return true
    const parent = processes.get(pid)?.parent
    return parent !== undefined && parent > 1 && isOwn(parent)
  }
  return [...processes].reduce((sum, [pid, { seconds }]) => sum + (isOwn(pid) ? seconds : 0), 0)
}
