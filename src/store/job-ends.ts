/** Waiting for work that jobs do, in a request that asked for it. */

/** How often a request looks whether it is done, in milliseconds. */
const LOOK_MS = 50

/**
 * Waits until nothing is under way any more.
 * @param end when to give up, as `performance.now()` counts
 * @returns whether it came to an end
 */
export const endsBy = async (end: number, isUnderWay: () => Promise<boolean>): Promise<boolean> => {
  while (await isUnderWay()) {
    if (performance.now() >= end) return false
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return true
}
