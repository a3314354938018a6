/** Times of the rules: UNIX seconds. */

/** A day, in seconds. */
export const DAY = 86_400

/**
 * Returns the time now in UNIX seconds. It is the default of every `now`, and all that a rule reads beside its
 * arguments.
 */
export const secondsNow = (): number => Math.floor(Date.now() / 1000)
