/**
 * Does something for each, one after the other. One that fails does not keep the others waiting, whoever it is: when
 * all have had their turn, the first failure is thrown.
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
