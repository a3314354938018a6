/**
 * Returns the number of mistakes between two words. Mistakes are letters that are missing, added, replaced, or
 * exchanged with their neighbour (the optimal string alignment distance).
 */
export const letterDistance = (a: readonly string[], b: readonly string[]): number => {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          (last[j] as number) + 1,
          (row[j - 1] as number) + 1,
          (last[j - 1] as number) + (isSame ? 0 : 1),
          isExchanged ? (beforeLast[j - 2] as number) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = row
  }
  return last[b.length] as number
}
