/**
 * Counts values by size, for a histogram. Plain numbers: adding a value to a counter of prom-client costs more than
 * routing a call.
 */
export class Histogram {
  /** the upper bounds of the buckets, in ascending order */
  readonly bounds: readonly number[]
  /** the number of values per bucket: one per bound, and one for those above */
  readonly buckets: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.buckets = new Array<number>(bounds.length + 1).fill(0)
  }

  /** Counts one value. */
  add(value: number): void {
    let bucket = 0
    while (bucket < this.bounds.length && value > (this.bounds[bucket] ?? 0)) bucket++
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1
    this.sum += value
  }
}
