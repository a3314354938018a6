/** What a bench is: a question, and the answers it found. */
import { median } from './measure.js'
import type { Setting } from './setting.js'

export interface Bench {
  question: string
  run(setting: Setting): Promise<Answer[]>
}

/** One line of the closing table. */
export interface Answer {
  /** what was compared, in a few words */
  what: string
  /** what was measured, with its unit */
  ours: string
  baseline: string
  /** ours to the baseline, one per round: each round runs both, one after the other */
  ratios: readonly number[]
  expected?: Expectation
}

/** A bound that was promised. Only a required one decides how the run ends; a goal is shown. */
export interface Expectation {
  bound: string
  met: boolean
  required: boolean
}

/** A ratio's bounds. They hold for the median of the rounds. */
export const required = {
  atMost: (bound: number, ratios: readonly number[]): Expectation => ({
    bound: `≤ ${bound}`,
    met: median(ratios) <= bound,
    required: true,
  }),
  atLeast: (bound: number, ratios: readonly number[]): Expectation => ({
    bound: `≥ ${bound}`,
    met: median(ratios) >= bound,
    required: true,
  }),
}

/** Runs `work` in the rounds of a bench, one after the other: sides are compared within a round. */
export const rounds = async <T>(count: number, work: () => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let round = 0; round < count; round++) results.push(await work())
  return results
}

/** Three digits are all that a noisy machine can tell. */
export const figure = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)

/** The closing table, as lines. */
export const table = (answers: readonly Answer[]): string[] => {
  const rows = [
    ['question', 'ours', 'baseline', 'ratio (spread)', 'required', 'met'],
    ...answers.map(({ what, ours, baseline, ratios, expected }) => [
      what,
      ours,
      baseline,
      `${figure(median(ratios))} (${figure(Math.min(...ratios))}–${figure(Math.max(...ratios))})`,
      expected === undefined ? '' : `${expected.required ? '' : 'goal '}${expected.bound}`,
      expected === undefined ? '' : expected.met ? 'yes' : 'NO',
    ]),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [lines[0] ?? '', '-'.repeat(widths.reduce((sum, width) => sum + width + 2, -2)), ...lines.slice(1)]
}
