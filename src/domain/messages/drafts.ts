/**
 * A draft as a client sends it, and in the normal form that is stored and that every client reads.
 *
 * Source: the API document's draft object; protocol/endpoints.md 1.12; protocol/events.md 2.5.
 */

import { z } from 'zod'
import { hasContentAccess } from '#rules/channel-access.js'
import { secondsNow } from '#rules/time.js'
import { limits } from '../limits/limits.js'
import { LAST_TIMESTAMP } from '../limits/timestamps.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'
import { normalizeContent } from './message.js'

/** The parameter; other keys are an error. */
export const draftParameter = z.strictObject({
  type: z.enum(['', 'stream', 'private']),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.number().max(LAST_TIMESTAMP).optional(),
})

/** The draft object. */
export const draftObject = z.object({
  id: z.int(),
  type: z.enum(['', 'stream', 'private']),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.int(),
})

export type Draft = z.infer<typeof draftObject>

/** The normal form of a draft. Throws BAD_REQUEST for an invalid recipient, channel or text. */
export const checkDraft = (
  state: RealmState,
  owner: UserRow,
  { type, to, topic, content, timestamp = secondsNow() }: z.infer<typeof draftParameter>,
): Omit<Draft, 'id'> => {
  if (topic.includes('\0')) throw errors.badRequest('A topic must not contain the NUL character.')
  if (timestamp < 0) throw errors.badRequest('timestamp must not be negative.')
  const kept = { type, content: normalizeContent(content), timestamp: Math.floor(timestamp) }
  if (type === '') return { ...kept, to: [], topic: '' }
  if (type === 'private') return { ...kept, to: draftRecipients(state, owner, to), topic: '' }
  const [channel_id] = to
  if (channel_id === undefined || to.length > 1) {
    throw errors.badRequest('A channel draft needs exactly one channel ID in to.')
  }
  const channel = state.channels.get(channel_id)
  if (channel === undefined || !hasContentAccess(state, owner, channel)) throw errors.invalidChannelId()
  return { ...kept, to, topic: [...topic].slice(0, limits.max_topic_length).join('') }
}

/** The recipients without the owner; the owner alone in a message to oneself. */
const draftRecipients = (state: RealmState, owner: UserRow, ids: readonly number[]): number[] => {
  for (const user_id of ids) if (!state.users.has(user_id)) throw errors.invalidRecipient({ user_id })
  const others = [...new Set(ids)].filter((id) => id !== owner.id)
  return others.length === 0 && ids.length > 0 ? [owner.id] : others
}
