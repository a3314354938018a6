/** The figures of a drill: `npm run drill` prints those of all drills as one table. */
import { appendFileSync } from 'node:fs'

/** The size of a drill. `npm run drill` sets it; the test suite runs the small form. */
export const isFull = process.env.DRILL === 'full'

/** Prints the figures of a scenario, and keeps them for the table. */
export const reportFigures = (scenario: string, figures: Readonly<Record<string, string | number>>): void => {
  const text = Object.entries(figures).map(([name, value]) => `${name} ${value}`)
  console.log(`${scenario}: ${text.join(', ')}`)
  const file = process.env.DRILL_REPORT
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ scenario, ...figures })}\n`)
}

/** Milliseconds as seconds with two digits. */
export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`
