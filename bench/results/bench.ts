/** A benchmark, its results, and the table in which they are printed. */
import type { BenchEnvironment } from '../fleet/environment.js'
import { createRoundCounts, measureRounds } from '../harness/machine.js'
import { median } from '../harness/measure.js'

export interface Bench {
  question: string
  run(environment: BenchEnvironment): Promise<BenchResult[]>
}

/** One row of the printed table. */
export interface BenchResult {
  /** what was measured, in a few words */
  label: string
  /** the median, with its unit */
  measured: string
  baseline: string
  /** measured value divided by baseline, one per round: each round measures both, one after the other */
  ratios: readonly number[]
  bound?: Bound
}

/** A bound for a result. Only a required bound changes the exit code; a goal is printed. */
export interface Bound {
  text: string
  isMet: boolean
  isRequired: boolean
}

/** The bound that the median of the ratios is at most `limit`. */
export const requireAtMost = (limit: number, ratios: readonly number[]): Bound => ({
  text: `≤ ${limit}`,
  isMet: median(ratios) <= limit,
  isRequired: true,
})

/** The bound that the median of the ratios is at least `limit`. */
export const requireAtLeast = (limit: number, ratios: readonly number[]): Bound => ({
  text: `≥ ${limit}`,
  isMet: median(ratios) >= limit,
  isRequired: true,
})

/**
 * Measures `count` rounds, one after the other. Measures only one if the benchmark shows no more than that it runs. A
 * round measures all sides of a comparison. For the report, a round is repeated when other work disturbed it.
 */
export const runRounds = async <T>(
  { size, rounds }: Pick<BenchEnvironment, 'size' | 'rounds'>,
  count: number,
  measureRound: () => Promise<T>,
): Promise<T[]> => {
  const isRepeating = rounds !== undefined
  return measureRounds(rounds ?? createRoundCounts(), { count: size(count, { smoke: 1 }), isRepeating }, measureRound)
}

/** Formats a number with three digits: a shared machine measures no more. */
export const formatNumber = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)

/** Formats a result as the cells of a table. */
export const formatRow = ({ label, measured, baseline, ratios, bound }: BenchResult): string[] => [
  label,
  measured,
  baseline,
  `${formatNumber(median(ratios))} (${formatNumber(Math.min(...ratios))}–${formatNumber(Math.max(...ratios))})`,
  bound === undefined ? '' : `${bound.isRequired ? '' : 'goal '}${bound.text}`,
  bound === undefined ? '' : bound.isMet ? 'yes' : 'NO',
]

/** Formats the results as the lines of a table. */
export const formatTable = (results: readonly BenchResult[]): string[] => {
  const rows = [['measurement', 'measured', 'baseline', 'ratio (min–max)', 'bound', 'met'], ...results.map(formatRow)]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [lines[0] ?? '', '-'.repeat(widths.reduce((sum, width) => sum + width + 2, -2)), ...lines.slice(1)]
}
