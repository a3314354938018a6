/**
 * Many ids as few numbers: `[first, length, first, length, …]` of the runs in ascending order.
 *
 * The subscribers of a large channel are mostly runs of consecutive ids, and an entry about a new subscriber repeats
 * the whole list: ten thousand ids are sixty kilobytes of text, one run is two numbers. In the worst case, each id is
 * a run, and the ranges are twice as long as the list.
 */
export type IdRanges = readonly number[]

/** The ids, in any order and repeated or not, as runs. */
export const toRanges = (ids: Iterable<number>): IdRanges => {
  const sorted = Int32Array.from(ids).sort()
  const ranges: number[] = []
  let next = Number.NaN
  for (const id of sorted) {
    if (id === next - 1) continue
    if (id === next) ranges[ranges.length - 1] = (ranges.at(-1) ?? 0) + 1
    else ranges.push(id, 1)
    next = id + 1
  }
  return ranges
}

/** The ids of the runs, ascending. */
export const fromRanges = (ranges: IdRanges): number[] => {
  const ids: number[] = []
  for (let i = 0; i < ranges.length; i += 2) {
    const first = ranges[i] ?? 0
    const end = first + (ranges[i + 1] ?? 0)
    for (let id = first; id < end; id++) ids.push(id)
  }
  return ids
}
