/**
 * Flags of a message for one user: bits in the table, names on the wire.
 *
 * The table is sparse. A row overrides the defaults:
 *
 * 1. `read` means read although after the reader's pointer (`read_up_to`), `unread` means unread although up to it.
 *    A message up to the pointer is read without a row. So is a message for its sender (`sender_read`), and a message
 *    that no recipient has as unread (`read_by_all`).
 * 2. A row of user `everySubscriber` holds the flags of all users who received the message as subscribers: a channel
 *    wildcard is one row, not one per subscriber.
 * 3. A row gives its user the message. `historical`: the user did not receive it when it was sent, but gained it later
 *    (by starring it, for example). `outside`: the user was not subscribed when it was sent (a mentioned bot).
 *
 * Source: protocol/messages.md 5.1.
 */

/** The bit of each flag in the column `flags` of the table `message_flags`. */
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

/** Bits that only the server uses: clients know no such flags. */
const internalFlags: readonly string[] = ['unread', 'outside']

export type FlagName = Exclude<keyof typeof Flag, 'unread' | 'outside'> | 'wildcard_mentioned'

/** The user id whose rows apply to every subscriber who received the message (2). User ids begin at 1. */
export const everySubscriber = 0

/** Either wildcard: the deprecated flag `wildcard_mentioned`. */
export const wildcardMentioned = Flag.stream_wildcard_mentioned | Flag.topic_wildcard_mentioned

/** Any kind of mention. */
export const anyMention = Flag.mentioned | Flag.group_mentioned | wildcardMentioned

/** Flags that only a row can tell. A membership or a pointer cannot tell them (index message_flags_apart). */
export const rowOnlyFlags = Flag.historical | Flag.unread | Flag.outside

/** The flags of a message for a reader who did not receive it. */
export const notReceived = Flag.read | Flag.historical

/** In the order of the protocol. */
const names = Object.entries(Flag).filter(([name]) => !internalFlags.includes(name)) as [FlagName, number][]

const namesByBits = new Map<number, readonly FlagName[]>()

/** The names of the bits, in the order of the protocol. The list is shared between calls: do not change it. */
export const flagNames = (bits: number): readonly FlagName[] => {
  const cached = namesByBits.get(bits)
  if (cached !== undefined) return cached
  const list: FlagName[] = names.filter(([, bit]) => (bits & bit) !== 0).map(([name]) => name)
  if ((bits & wildcardMentioned) !== 0) list.push('wildcard_mentioned')
  namesByBits.set(bits, list)
  return list
}

/** The facts that decide a reader's flags of one message. */
export interface FlagFacts {
  /** bits of the reader's own row; null without one */
  own: number | null
  /** bits of the row of `everySubscriber` */
  shared: number | null
  /** the reader was a participant, or a subscriber when it was sent */
  was_recipient: boolean
  /** the message is up to the reader's pointer, or was read when it was sent */
  passed: boolean
}

/** The reader's flags of the message, as bits. */
export const computeFlags = ({ own, shared, was_recipient, passed }: FlagFacts): number => {
  if (own === null && !was_recipient) return notReceived
  const bits = (own ?? 0) | (was_recipient ? (shared ?? 0) : 0)
  const isRead = (bits & Flag.unread) === 0 && (passed || (bits & Flag.read) !== 0)
  return isRead ? bits | Flag.read : bits & ~Flag.read
}
