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
