/** What the scripts of this folder print, and the folder of the clone. */
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** A command that was started again on another Node (runtime.mjs) goes on counting. */
const startedAt = Number(process.env.PARLEY_STARTED_AT) || performance.timeOrigin

/** Prints a line with the seconds since the command started. */
export function tell(line) {
  console.log(`${`[${((Date.now() - startedAt) / 1000).toFixed(1)}s]`.padStart(8)} ${line}`)
}

/** Prints an error message, which says what the user can do, and exits with code 1. */
export function stop(message) {
  console.error(`\n${message}`)
  process.exit(1)
}
