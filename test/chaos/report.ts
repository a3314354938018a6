/** The figures of a run: `npm run chaos` prints them as a table. */
import { appendFileSync } from 'node:fs'

/** Prints the figures, and keeps them for the table. */
export const reportRun = (figures: Readonly<Record<string, string | number>>): void => {
  const file = process.env.CHAOS_REPORT
  if (file === undefined) {
    console.log(
      Object.entries(figures)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    )
  } else appendFileSync(file, JSON.stringify(figures))
}
