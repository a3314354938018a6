/** Times of the rules: UNIX seconds. */

/** A day, in seconds. */
export const DAY = 86_400

/** The time now in UNIX seconds: the default of every `now`, and all that a rule reads beside its arguments. */
export const secondsNow = (): number => Math.floor(Date.now() / 1000)
