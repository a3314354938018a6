/**
 * The part of the loaded messages that is in the page.
 *
 * 1. A slice is named by ids: messages that are loaded before it do not move it.
 * 2. It has at most `maxRows(height)` messages. That is always enough for the area in sight and one such area above and
 *    below, so growing at one end never makes the other end grow.
 */

export interface Slice {
  /** the smallest id in the slice */
  first: number
  /** the greatest id; Infinity: the slice follows the newest message */
  last: number
}

/** The slice that ends with the newest message. */
export const newestSlice: Slice = { first: Number.POSITIVE_INFINITY, last: Number.POSITIVE_INFINITY }

/** Whether new messages get into the slice. */
export const followsNewest = (slice: Slice): boolean => slice.last === Number.POSITIVE_INFINITY

/** By how many messages a slice grows. */
export const STEP = 50

const LOWEST_ROW = 22

/** The distance to the end of the slice at which it grows. */
export const growDistance = (height: number): number => height + 400

/** The greatest number of messages in a slice for an area of this height. */
export const maxRows = (height: number): number =>
  Math.ceil((height + 2 * growDistance(height)) / LOWEST_ROW) + 2 * STEP

interface Identified {
  id: number
}

/** The positions of the slice in the messages: from `start`, without `end`. */
export const slicePositions = (
  messages: readonly Identified[],
  slice: Slice,
  rows: number,
): [start: number, end: number] => {
  const end = followsNewest(slice) ? messages.length : findPosition(messages, slice.last + 1)
  const start = findPosition(messages, slice.first)
  return [followsNewest(slice) ? Math.max(0, Math.min(start, end - STEP), end - rows) : start, end]
}

/** The slice around a message. */
export const sliceAround = (messages: readonly Identified[], id: number, rows: number): Slice => {
  const position = findPosition(messages, id)
  return toSlice(messages, position - Math.floor(rows / 2), position + Math.floor(rows / 2))
}

/** The slice with older messages; the newest leave it. */
export const growUp = (messages: readonly Identified[], slice: Slice, rows: number): Slice => {
  const [start, end] = slicePositions(messages, slice, rows)
  const from = Math.max(0, start - STEP)
  return toSlice(messages, from, Math.min(end, from + rows))
}

/** The slice with newer messages; the oldest leave it. */
export const growDown = (messages: readonly Identified[], slice: Slice, rows: number): Slice => {
  const [start, end] = slicePositions(messages, slice, rows)
  const to = Math.min(messages.length, end + STEP)
  return toSlice(messages, Math.max(start, to - rows), to)
}

const toSlice = (messages: readonly Identified[], start: number, end: number): Slice => ({
  first: messages[Math.max(0, start)]?.id ?? 0,
  last: end >= messages.length ? Number.POSITIVE_INFINITY : (messages[end - 1]?.id ?? 0),
})

/** The position of the first message whose id is at least `id`. */
export const findPosition = (messages: readonly Identified[], id: number): number => {
  let low = 0
  let high = messages.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((messages[middle] as Identified).id < id) low = middle + 1
    else high = middle
  }
  return low
}
