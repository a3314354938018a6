import { setImmediate } from 'node:timers/promises'
import pLimit from 'p-limit'

/**
 * Creates a function that yields to the event loop before long synchronous work. Its calls resolve in order, each in an
 * iteration of the event loop of its own, so that short work runs between two long pieces.
 */
export const createYield = (): (() => Promise<void>) => {
  const oneAtATime = pLimit(1)
  return () => oneAtATime(() => setImmediate())
}
