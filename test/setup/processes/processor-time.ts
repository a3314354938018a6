/**
 * Processor time in units of a fixed piece of work, so that a bound of a test says the same on every machine.
 *
 * A bound in milliseconds fails on a slow machine, and in the minute in which another process slows a quick one. The
 * reference is measured directly before each attempt, so both have the same speed.
 */

const text = Array.from({ length: 10_000 }, (_, i) => String.fromCharCode(97 + ((i * 7) % 26))).join('')

/** The fixed work: words are found in a text, and their prefixes are counted. 2.4 ms where the bounds were chosen. */
const countPrefixes = (): void => {
  const counts = new Map<string, number>()
  for (let round = 0; round < 4; round++) {
    for (const [word] of text.matchAll(/[b-y]*[az]/g)) {
      for (let end = 0; end < word.length; end++) {
        const prefix = word.slice(0, end)
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
      }
    }
  }
}

/** Measures the processor time of the process while the function runs. It is in milliseconds. */
export const processorTime = (run: () => void): number => {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/**
 * Measures how many times as long as the fixed work a function takes. The result is the smallest ratio of up to six
 * attempts. It ends with the first attempt below the limit, because other work of the process (compilation, garbage
 * collection) can only make an attempt longer.
 */
export const measureRatio = (run: () => void, limit: number): number => {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 6 && best >= limit; i++) {
    const reference = Math.min(...Array.from({ length: 3 }, () => processorTime(countPrefixes)))
    best = Math.min(best, processorTime(run) / reference)
  }
  return best
}
