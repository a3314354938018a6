/**
 * A reader's changes of message flags, and the resulting rows (flags.ts).
 *
 * Source: protocol/messages.md 5.
 */

import { countsAsMention } from '#rules/mentions.js'
import { errors } from '../protocol/errors.js'
import type { UnreadDetails } from './flag-entries.js'
import { computeFlags, Flag, type FlagFacts, flagNames, notReceived, wildcardMentioned } from './flags.js'

/** Flags that the reader may set. */
const editable = ['read', 'starred', 'collapsed'] as const

export interface FlagChange {
  op: 'add' | 'remove'
  flag: (typeof editable)[number]
}

const known = new Set<string>([...flagNames(~0)])

/** Parses a change. Throws BAD_REQUEST for an unknown flag or op, and for a flag that only the server sets. */
export const parseFlagChange = (op: string, flag: string): FlagChange => {
  if (!known.has(flag)) throw errors.badRequest('There is no flag “{flag}”.', { flag })
  const own = editable.find((name) => name === flag)
  if (own === undefined) throw errors.badRequest('The flag “{flag}” is set by the server only.', { flag })
  if (op !== 'add' && op !== 'remove') throw errors.badRequest('op must be add or remove, not “{op}”.', { op })
  return { op, flag: own }
}

/** Whether the change alters the flags of a message with these facts. */
export const isChanged = (facts: FlagFacts, { op, flag }: FlagChange): boolean =>
  ((computeFlags(facts) & Flag[flag]) !== 0) !== (op === 'add')

/**
 * The bits of the reader's own row after a change; null when no row is needed.
 * A message that the reader did not receive becomes historical with the first change.
 */
export const computeRowAfter = (facts: FlagFacts, { op, flag }: FlagChange): number | null => {
  const { own, was_recipient, passed } = facts
  let bits = own ?? (was_recipient ? 0 : notReceived)
  if (flag === 'read') {
    bits &= ~(Flag.read | Flag.unread)
    if (op === 'add' && !passed) bits |= Flag.read
    if (op === 'remove' && (passed || !was_recipient)) bits |= Flag.unread
  } else {
    bits = op === 'add' ? bits | Flag[flag] : bits & ~Flag[flag]
  }
  return bits === 0 && was_recipient ? null : bits
}

/** A message that became unread. */
interface UnreadMessage {
  id: number
  channel_id: number | null
  topic: string
  /** the participants of a direct message */
  user_ids: number[] | null
  flags: number
}

/** The details with which a client counts messages as unread again. @param isMuted whether its topic is muted */
export const buildUnreadDetails = (
  reader_id: number,
  messages: readonly UnreadMessage[],
  isMuted: (message: UnreadMessage) => boolean,
): Record<string, UnreadDetails> => {
  const details: Record<string, UnreadDetails> = {}
  for (const message of messages) {
    const { id, channel_id, topic, user_ids, flags } = message
    const muted = channel_id !== null && isMuted(message)
    const mention = {
      isNamed: (flags & (Flag.mentioned | Flag.group_mentioned)) !== 0,
      isWildcard: (flags & wildcardMentioned) !== 0,
    }
    const mentioned = countsAsMention(mention, muted) ? ({ mentioned: true } as const) : {}
    details[id] =
      channel_id === null
        ? { type: 'private', ...mentioned, user_ids: (user_ids ?? []).filter((user_id) => user_id !== reader_id) }
        : { type: 'stream', ...mentioned, stream_id: channel_id, topic, unmuted_stream_msg: !muted }
  }
  return details
}
