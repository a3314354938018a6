/**
 * Spreads work over passes of the event loop, so that many small pieces of it do not fill one pass.
 *
 * This is no fair queue (store/fairness): a caller holds nothing that others need, it only lets them come first.
 */

/**
 * Opens a queue that lets one caller continue per pass of the event loop. The callers continue in order. A send needs
 * several passes, so what all callers do together costs each send a few pieces, however many callers there are.
 */
export const openYieldQueue = (): (() => Promise<void>) => {
  const waiting: (() => void)[] = []
  const runNext = () => {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(runNext)
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(runNext)
    })
}
