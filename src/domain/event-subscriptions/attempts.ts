/**
 * When a failed delivery is tried again, and when its subscription counts as broken.
 *
 * The deliveries of a subscription follow each other, so the pause between two attempts is its breaker: a receiver
 * that does not answer gets one call, and then one call in each half an hour.
 */

/** The longest pause, in seconds. */
const MAX_PAUSE_SECS = 1_800
/** The longest pause that a receiver may ask for. */
const MAX_ASKED_SECS = 3_600

/** After so many failures within so much time a subscription is broken, and its owner is told. */
const BROKEN_AFTER_FAILURES = 6
const BROKEN_AFTER_SECS = 300

/**
 * The seconds until the next attempt: 0.5, 1, 2, … with a random part. So the subscriptions of one receiver do not all
 * come back at once.
 * @param failures in a row, this one included
 * @param asked how long the receiver asked to wait
 * @param random from 0 up to 1
 */
export const pauseAfter = (failures: number, asked: number | undefined, random = Math.random()): number => {
  const pause = Math.min(MAX_PAUSE_SECS, 0.5 * 2 ** Math.min(failures - 1, 20)) * (0.5 + random / 2)
  return Math.max(pause, Math.min(asked ?? 0, MAX_ASKED_SECS))
}

/** Whether a receiver has failed for long. @param secs since the first of the failures */
export const isFailingForLong = (failures: number, secs: number): boolean =>
  failures >= BROKEN_AFTER_FAILURES && secs >= BROKEN_AFTER_SECS
