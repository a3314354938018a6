/**
 * Counts what happened in a window that slides with the clock, in slots of a sixtieth of it.
 *
 * A slot counts until all of it is older than the window. So in no window more is ever granted than the limit; what
 * was granted at the beginning of a slot comes back up to a slot late. The same is said in Lua in
 * store/limits/rate-limiter.ts, for Redis to do.
 */

export const SLOTS = 60

/** How long a slot is, in milliseconds. */
export const slotLength = ({ seconds }: { seconds: number }): number => Math.ceil((seconds * 1_000) / SLOTS)

/** What is asked of one window. */
export interface WindowLimit {
  /** in milliseconds */
  slot_length: number
  limit: number
}

/** What became of a wish. */
export interface GrantResult {
  granted: number
  /** what is left of the narrowest window after it */
  remaining: number
  /** milliseconds until it is worth asking again; 0 when something was granted */
  wait: number
  /** milliseconds until nothing counts any more */
  full: number
  /** when that was, by the clock that counts: what is given back is taken off there */
  at: number
}

/** What counts now, by slot. */
export type SlotCounts = Map<number, number>

/**
 * Grants as much of `want` as all windows allow, at least `least` or nothing. Of more than `least` it grants at most a
 * quarter of what is left: whoever takes in advance must not take away what others need at once.
 */
export const grant = (
  windows: readonly (WindowLimit & { counts: SlotCounts })[],
  want: number,
  least: number,
  now: number,
): GrantResult => {
  let granted = want
  let remaining = Number.POSITIVE_INFINITY
  let wait = 0
  let full = 0
  for (const { counts, slot_length, limit } of windows) {
    const { used, oldest, newest } = sumCounts(counts, Math.floor(now / slot_length) - SLOTS)
    const free = limit - used
    granted = Math.min(granted, free, Math.max(least, Math.floor(free / 4)))
    remaining = Math.min(remaining, free)
    const leaves = (slot: number) => (slot + SLOTS + 1) * slot_length - now
    if (free < least) wait = Math.max(wait, leaves(oldest ?? Math.floor(now / slot_length)))
    full = Math.max(full, newest === undefined ? 0 : leaves(newest))
  }
  if (granted < least) granted = 0
  for (const { counts, slot_length } of windows) {
    const slot = Math.floor(now / slot_length)
    if (granted > 0) counts.set(slot, (counts.get(slot) ?? 0) + granted)
    full = Math.max(full, granted > 0 ? (slot + SLOTS + 1) * slot_length - now : 0)
  }
  return { granted, remaining: Math.max(0, remaining - granted), wait, full, at: now }
}

/** Gives back what was granted then, as far as it still counts. */
export const returnGrant = (
  windows: readonly (WindowLimit & { counts: SlotCounts })[],
  count: number,
  at: number,
): void => {
  for (const { counts, slot_length } of windows) {
    const slot = Math.floor(at / slot_length)
    const before = counts.get(slot)
    if (before !== undefined) counts.set(slot, before - count)
  }
}

/** Forgets the slots before `first`, and sums up the others. */
const sumCounts = (counts: SlotCounts, first: number) => {
  let used = 0
  let oldest: number | undefined
  let newest: number | undefined
  for (const [slot, count] of counts) {
    if (slot < first) {
      counts.delete(slot)
    } else if (count > 0) {
      used += count
      oldest = oldest === undefined ? slot : Math.min(oldest, slot)
      newest = newest === undefined ? slot : Math.max(newest, slot)
    }
  }
  return { used, oldest, newest }
}
