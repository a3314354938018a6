/** Lets a few do something at once; the others wait in the order in which they came, each in a turn of the loop. */
export const fewAtOnce = (most: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (work) => {
    if (underWay >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else underWay += 1
    try {
      return await work()
    } finally {
      // Whoever is next takes this place, after everything that is ready now.
      const next = waiting.shift()
      if (next === undefined) underWay -= 1
      else setImmediate(next)
    }
  }
}
