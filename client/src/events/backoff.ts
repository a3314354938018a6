/** How long a client waits before it connects again. */

const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * Returns a random time in milliseconds. The bound doubles with each failure in a row, so that the clients of a server
 * that restarts do not all come back in the same moment.
 * @param failures since the last success, from 1 on
 * @param retryAfter the seconds that the server asks to wait
 */
export const backoff = (failures: number, retryAfter = 0, random = Math.random): number =>
  retryAfter * 1_000 + random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1))
