/** What commands print. It is JavaScript, because the scripts use it before sources are compiled. */

/**
 * When the command started, in milliseconds since 1970. One that was started again on another Node
 * (scripts/clone/runtime.mjs) goes on counting.
 */
export const startedAt = Number(process.env.PARLEY_STARTED_AT) || performance.timeOrigin

/** Prints a line with the seconds since the command started. */
export function tell(line) {
  console.log(`${`[${((Date.now() - startedAt) / 1000).toFixed(1)}s]`.padStart(8)} ${line}`)
}

/** Prints an error message, which says what the user can do, and exits with code 1. */
export function stop(message) {
  console.error(`\n${message}`)
  process.exit(1)
}
