/** Work of half a second, done in pieces so that the process serves other requests in between. */
import { setTimeout as sleep } from 'node:timers/promises'

/** A send needs several turns of the event loop, so one turn between two pieces would not be enough for it. */
const REST_MS = 5

/** Applies `work` to each item, one after the other, and rests after each. */
export const mapInPieces = async <Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Result,
): Promise<Result[]> => {
  const results: Result[] = []
  for (const item of items) {
    results.push(work(item))
    await sleep(REST_MS)
  }
  return results
}
