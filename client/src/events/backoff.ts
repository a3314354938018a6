/** How long a client waits before it connects again. */

const FIRST_MS = 500
const LONGEST_MS = 30_000
/** A gateway that closes many connections spreads that itself. One that dies does not: all its clients come at once. */
const BROKEN_MS = 2_000

/**
 * Returns a random time in milliseconds. The bound doubles with each failure in a row, so that the clients of a server
 * that restarts do not all come back in the same moment.
 * @param failures since the last success, from 1 on
 * @param retryAfter the seconds that the server asks to wait: at least these, and up to half as many more
 * @param isBroken whether a connection that was open broke, and the gateway did not say why
 */
export const backoff = (failures: number, retryAfter = 0, isBroken = false, random = Math.random): number => {
  const spread = Math.max(FIRST_MS * 2 ** (failures - 1), retryAfter * 500, isBroken ? BROKEN_MS : 0)
  return retryAfter * 1_000 + random() * Math.min(LONGEST_MS, spread)
}
