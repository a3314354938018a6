/**
 * Flags of a message for one user: bits in the table, names on the wire.
 *
 * The table is sparse. What a row says overrides the defaults:
 *
 * 1. `read` means read although after the reader's pointer (`read_up_to`), `unread` means unread although before it.
 *    A message up to the pointer is read without a row, and so is one that its sender read by sending it, and one
 *    that is news to nobody else (`read_by_all`).
 * 2. A row of user `everybody` holds flags of all who received the message as subscribers: a channel wildcard is one
 *    row, not one per subscriber.
 * 3. A row makes the message the user's own, whatever happened before: a `historical` one was received by nobody
 *    when it was sent, but gained later (by starring it, for example), and one from `outside` came to an account that
 *    was not subscribed (a bot that the message mentions).
 *
 * Source: messages.md section 5.1.
 */

export const Flag = {
  read: 1,
  starred: 2,
  collapsed: 4,
  mentioned: 8,
  stream_wildcard_mentioned: 16,
  topic_wildcard_mentioned: 32,
  group_mentioned: 64,
  force_expand: 128,
  force_collapse: 256,
  has_alert_word: 512,
  historical: 1024,
  unread: 2048,
  outside: 4096,
} as const

/** Bits that are ours alone: clients know no such flags. */
const inner: readonly string[] = ['unread', 'outside']

export type FlagName = Exclude<keyof typeof Flag, 'unread' | 'outside'> | 'wildcard_mentioned'

/** The user id whose rows hold for every subscriber who received the message (2). Accounts begin at 1. */
export const everybody = 0

/** Either wildcard: what the deprecated `wildcard_mentioned` says. */
export const wildcardMentioned = Flag.stream_wildcard_mentioned | Flag.topic_wildcard_mentioned

/** Any way of being mentioned. */
export const anyMention = Flag.mentioned | Flag.group_mentioned | wildcardMentioned

/** What a row may say that memberships and pointers do not (index message_flags_apart). */
export const apart = Flag.historical | Flag.unread | Flag.outside

/** What a message shows to a reader who never received it. */
export const notReceived = Flag.read | Flag.historical

/** In the order of the wire. */
const names = Object.entries(Flag).filter(([name]) => !inner.includes(name)) as [FlagName, number][]

const spelled = new Map<number, readonly FlagName[]>()

/** The names of the bits, in the order of the wire. Shared between calls: not to be changed. */
export const flagNames = (bits: number): readonly FlagName[] => {
  const known = spelled.get(bits)
  if (known !== undefined) return known
  const list: FlagName[] = names.filter(([, bit]) => (bits & bit) !== 0).map(([name]) => name)
  if ((bits & wildcardMentioned) !== 0) list.push('wildcard_mentioned')
  spelled.set(bits, list)
  return list
}

/** What decides a reader's flags of one message. */
export interface FlagFacts {
  /** bits of the reader's own row; null: there is none */
  own: number | null
  /** bits of everybody's row */
  shared: number | null
  /** the reader was a participant, or a subscriber when it was sent */
  was_recipient: boolean
  /** it is up to the reader's pointer, or was read as soon as it was sent */
  passed: boolean
}

/** The reader's bits, as the wire names them. */
export const flagsOf = ({ own, shared, was_recipient, passed }: FlagFacts): number => {
  if (own === null && !was_recipient) return notReceived
  const bits = (own ?? 0) | (was_recipient ? (shared ?? 0) : 0)
  const isRead = (bits & Flag.unread) === 0 && (passed || (bits & Flag.read) !== 0)
  return isRead ? bits | Flag.read : bits & ~Flag.read
}
