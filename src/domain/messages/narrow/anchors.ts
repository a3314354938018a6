/**
 * Where a fetch of messages begins: an id that need not exist, or a name for one.
 *
 * Source: messages.md 2.1, clients.md 11.4.
 */
import { errors } from '../../protocol/errors.js'

/** Stands for "after every message"; clients send it, and get it where no message is unread. */
export const NEWEST = 10_000_000_000_000_000

/** Throws BAD_REQUEST for anything that is neither an integer nor one of the three names. */
export const parseAnchor = (text: string): number | 'first_unread' => {
  if (text === 'oldest') return 0
  if (text === 'newest') return NEWEST
  if (text === 'first_unread') return text
  if (!/^[-+]?\d+$/.test(text.trim()))
    throw errors.badRequest('anchor must be a message ID, newest, oldest or first_unread.')
  return Math.min(Math.max(Number(text), 0), NEWEST)
}

/** A page around an anchor. */
export interface Page {
  num_before: number
  num_after: number
  include_anchor: boolean
}

/** More messages than this are not returned at once. */
const MOST_MESSAGES = 5_000

/** Refuses a page that is too large, or that has a hole in it. */
export const checkPage = ({ num_before, num_after, include_anchor }: Page): void => {
  checkSize(num_before + num_after)
  if (!include_anchor && num_before > 0 && num_after > 0) {
    throw errors.badRequest('Without the anchor, ask for messages on one side of it only.')
  }
}

/** The same page, cut where it is too large: half of what there may be is kept for each side (messages.md 5.2). */
export const cutPage = ({ num_before: before, num_after: after, include_anchor }: Page): Page => {
  const num_before = Math.min(before, Math.max(MOST_MESSAGES - after, MOST_MESSAGES / 2))
  return { num_before, num_after: Math.min(after, MOST_MESSAGES - num_before), include_anchor }
}

export const checkSize = (count: number): void => {
  if (count > MOST_MESSAGES) throw errors.badRequest(`At most ${MOST_MESSAGES} messages come at once: ask for fewer.`)
}
