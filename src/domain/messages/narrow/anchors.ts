/**
 * The anchor and the size of a page of messages. An anchor is an id that need not exist, or a name for one.
 *
 * Source: protocol/messages.md 2.1, protocol/clients.md 11.4.
 */
import { errors } from '../../protocol/errors.js'

/** The anchor after every message. Clients send it, and get it as first_unread when no message is unread. */
export const NEWEST = 10_000_000_000_000_000

/** Parses an anchor. Throws BAD_REQUEST for anything that is neither an integer nor one of the three names. */
export const parseAnchor = (text: string): number | 'first_unread' => {
  if (text === 'oldest') return 0
  if (text === 'newest') return NEWEST
  if (text === 'first_unread') return text
  if (!/^[-+]?\d+$/.test(text.trim()))
    throw errors.badRequest('anchor must be a message ID, newest, oldest or first_unread.')
  return Math.min(Math.max(Number(text), 0), NEWEST)
}

const dateForm = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?)?$/

/**
 * Parses a date, or a date and a time, in the form of ISO 8601. Returns the time in UNIX seconds. Without an offset it
 * is in UTC; a fraction of a second is cut off. Throws BAD_REQUEST.
 */
const parseAnchorDate = (text: string): number => {
  const found = dateForm.exec(text.trim())
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (found ?? [])
    .slice(1, 7)
    .map((n) => Number(n ?? 0))
  const time = new Date(0)
  // Not Date.UTC, which reads the years 0 to 99 as those of 1900 to 1999.
  time.setUTCFullYear(year, month - 1, day)
  time.setUTCHours(hour, minute, second)
  const isReal =
    time.getUTCMonth() === month - 1 && time.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  if (found === null || !isReal) {
    throw errors.badRequest('anchor_date must be a date such as 2027-01-31, or a time such as 2027-01-31T12:34:56Z.')
  }
  return time.getTime() / 1000 - parseOffset(found[7])
}

/** The seconds by which a clock with this offset is ahead of UTC. */
const parseOffset = (offset = 'Z'): number => {
  if (offset.toUpperCase() === 'Z') return 0
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))]
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60
}

/** A page around an anchor. */
export interface PageRange {
  num_before: number
  num_after: number
  include_anchor: boolean
}

/** The most messages that one answer contains. */
const MOST_MESSAGES = 5_000

/**
 * Checks the range of a page. Throws BAD_REQUEST for a page that is too large, or that leaves out its anchor in the
 * middle.
 */
const checkPage = ({ num_before, num_after, include_anchor }: PageRange): void => {
  checkPageSize(num_before + num_after)
  if (!include_anchor && num_before > 0 && num_after > 0) {
    throw errors.badRequest('Without the anchor, request messages before it or after it, not both.')
  }
}

/** Limits the page to the largest size. Each side may use at least half of that size (protocol/messages.md 5.2). */
export const limitPage = ({ num_before: before, num_after: after, include_anchor }: PageRange): PageRange => {
  const num_before = Math.min(before, Math.max(MOST_MESSAGES - after, MOST_MESSAGES / 2))
  return { num_before, num_after: Math.min(after, MOST_MESSAGES - num_before), include_anchor }
}

/** Refuses a request for more messages than one response can contain. Throws BAD_REQUEST. */
const checkPageSize = (count: number): void => {
  if (count > MOST_MESSAGES)
    throw errors.badRequest('At most {max} messages come at once: ask for fewer.', {
      max: MOST_MESSAGES,
    })
}

/** Where a page is: at an id, at the first unread message, or at the first message since a time in UNIX seconds. */
export type Anchor = number | 'first_unread' | { since: number }

/** The parameters that select messages: ids, or a page around an anchor. */
export interface SelectionParams extends PageRange {
  anchor?: string | undefined
  anchor_date?: string | undefined
  use_first_unread_anchor: boolean
  message_ids?: readonly number[] | undefined
}

const pageParameters = 'num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor'

/** Parses the parameters that select messages. Throws the errors of protocol/messages.md 2.1. */
export const parseSelection = (params: SelectionParams): { message_ids: readonly number[] } | { anchor: Anchor } => {
  const { anchor, anchor_date, message_ids, use_first_unread_anchor } = params
  if (message_ids !== undefined) {
    const isPage = params.num_before > 0 || params.num_after > 0 || use_first_unread_anchor
    if (isPage || anchor !== undefined || anchor_date !== undefined) {
      throw errors.incompatibleParameters({ parameters: pageParameters })
    }
    checkPageSize(message_ids.length)
    return { message_ids }
  }
  if (use_first_unread_anchor) {
    checkPage(params)
    return { anchor: 'first_unread' }
  }
  if (anchor === undefined)
    throw errors.badRequest('Missing parameter: send anchor to fetch a page, or message_ids to fetch single messages.')
  const parsed = anchor === 'date' ? { since: parseAnchorDate(anchor_date ?? '') } : parseAnchor(anchor)
  checkPage(params)
  return { anchor: parsed }
}
