/**
 * Mentions of a reader, by the flags of a message.
 *
 * Source: protocol/messages.md 3.6 and 5.1; protocol/register.md 5.6.
 */

/** How a message mentions a reader. */
export interface Mention {
  /** by name, or with a group that contains the reader */
  readonly isNamed: boolean
  /** with all readers of the channel or topic */
  readonly isWildcard: boolean
}

/** The flags of a mention, as clients get them. */
const named: readonly string[] = ['mentioned', 'group_mentioned']
const wildcards: readonly string[] = ['stream_wildcard_mentioned', 'topic_wildcard_mentioned', 'wildcard_mentioned']

/** Reads the flags of a message, as clients get them. */
export const readMention = (flags: readonly string[]): Mention => ({
  isNamed: flags.some((flag) => named.includes(flag)),
  isWildcard: flags.some((flag) => wildcards.includes(flag)),
})

/**
 * Whether an unread message counts among those that mention the reader. In a muted topic, a mention of all readers does
 * not count.
 */
export const countsAsMention = ({ isNamed, isWildcard }: Mention, isMuted: boolean): boolean =>
  isNamed || (isWildcard && !isMuted)
