/**
 * Turns of the event loop for long pieces of work: one piece a turn, so that whatever is short gets through between
 * two of them. Each call resolves in a turn of its own, in the order of the calls.
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
