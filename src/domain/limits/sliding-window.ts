/**
 * Counts requests in a sliding window, in slots of a sixtieth of the window.
 *
 * A slot counts until all of it is older than the window. So no window ever has more grants than its limit; a grant at
 * the beginning of a slot stops counting up to one slot late. store/limits/rate-counter.ts has the same algorithm in
 * Lua, which Redis runs.
 */

/** The number of slots of a window. */
export const SLOTS = 60

/** Returns the length of a slot in milliseconds. */
export const slotLength = ({ seconds }: { seconds: number }): number => Math.ceil((seconds * 1_000) / SLOTS)

/** The limit of one window. */
export interface WindowLimit {
  /** in milliseconds */
  slot_length: number
  limit: number
}

/** The result of a request for grants. */
export interface GrantResult {
  granted: number
  /** the smallest number that any window has left after this request */
  remaining: number
  /** milliseconds until a new request can succeed; 0 if something was granted */
  wait: number
  /** milliseconds until all windows are empty again */
  full: number
  /** the time of the grant, on the clock of the counter; `returnGrant` needs it */
  at: number
}

/** The number of grants that still count, by slot. */
export type SlotCounts = Map<number, number>

/**
 * Grants as much of `want` as all windows allow, at least `least` or nothing. Beyond `least` it grants at most a
 * quarter of what is left, so that a replica that takes grants in advance leaves enough for the others.
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
  if (granted > 0) {
    addGrant(windows, granted, now)
    for (const { slot_length } of windows) {
      full = Math.max(full, (Math.floor(now / slot_length) + SLOTS + 1) * slot_length - now)
    }
  }
  return { granted, remaining: Math.max(0, remaining - granted), wait, full, at: now }
}

/** Counts grants of the time `at` by this or another counter. Slots that count no longer are deleted. */
export const addGrant = (
  windows: readonly (WindowLimit & { counts: SlotCounts })[],
  count: number,
  at: number,
): void => {
  for (const { counts, slot_length } of windows) {
    const slot = Math.floor(at / slot_length)
    if (!counts.has(slot)) sumCounts(counts, slot - SLOTS)
    counts.set(slot, (counts.get(slot) ?? 0) + count)
  }
}

/** Returns grants that were made at the time `at`, if they still count. */
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

/** Deletes the slots before `first`, and sums up the others. */
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
