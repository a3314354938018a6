/**
 * Runs `work` for each item, one after the other. A failure does not stop the rest: after the last item, the first
 * failure is thrown.
 */
export const runEach = async <T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> => {
  const failures: unknown[] = []
  for (const item of items) {
    try {
      await work(item)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/**
 * Runs one batch of each item in turn, until no item has more. So an item with many batches does not delay the others.
 * An item whose batch fails gets no further one; after the last batch, the first failure is thrown.
 * @param batch returns whether the item may have more
 */
export const runInRounds = async <T>(items: readonly T[], batch: (item: T) => Promise<boolean>): Promise<void> => {
  const failures: unknown[] = []
  let left = items
  while (left.length > 0) {
    const next: T[] = []
    await runEach(left, async (item) => {
      if (await batch(item)) next.push(item)
    }).catch((error) => failures.push(error))
    left = next
  }
  if (failures.length > 0) throw failures[0]
}
