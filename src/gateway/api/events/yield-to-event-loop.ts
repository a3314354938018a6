/**
 * Creates a function that yields to the event loop before long synchronous work. Its calls resolve in order, each in an
 * iteration of the event loop of its own, so that short work runs between two long pieces.
 */
export const createYield = (): (() => Promise<void>) => {
  const waiting: (() => void)[] = []
  const next = () => {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(next)
  }
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(next)
    })
}
