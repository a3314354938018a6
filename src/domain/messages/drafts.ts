/**
 * A draft as a client writes it, and as it is kept: addressed in the one form that every client reads.
 *
 * Source: the API document's draft object; endpoints.md 1.12; events.md 2.5.
 */
import { z } from 'zod'
import { limits } from '../limits/limits.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { hasContentAccess } from '../permissions/channel-access.js'
import { secondsNow } from '../permissions/permissions.js'
import { errors } from '../protocol/errors.js'
import { normalizedContent } from './message.js'

/** Other keys are refused. */
export const givenDraft = z.strictObject({
  type: z.enum(['', 'stream', 'private']),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.number().optional(),
})

/** A draft as it is shown. */
export const draftObject = z.object({
  id: z.int(),
  type: z.enum(['', 'stream', 'private']),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.int(),
})

export type Draft = z.infer<typeof draftObject>

/** The draft in the form in which it is kept. Throws for an address or a text that cannot be. */
export const keptDraft = (
  state: RealmState,
  owner: UserRow,
  { type, to, topic, content, timestamp = secondsNow() }: z.infer<typeof givenDraft>,
): Omit<Draft, 'id'> => {
  if (timestamp < 0) throw errors.badRequest('timestamp must not be negative.')
  const kept = { type, content: normalizedContent(content), timestamp: Math.floor(timestamp) }
  if (type === '') return { ...kept, to: [], topic: '' }
  if (type === 'private') return { ...kept, to: recipients(state, owner, to), topic: '' }
  if (topic.includes('\0')) throw errors.badRequest('A topic must not hold null bytes.')
  const [channel_id] = to
  if (channel_id === undefined || to.length > 1) {
    throw errors.badRequest('A channel draft names exactly one channel ID in to.')
  }
  const channel = state.channels.get(channel_id)
  if (channel === undefined || !hasContentAccess(state, owner, channel)) throw errors.invalidChannelId()
  return { ...kept, to, topic: [...topic].slice(0, limits.max_topic_length).join('') }
}

/** Everyone but the owner; the owner alone in a note to oneself. */
const recipients = (state: RealmState, owner: UserRow, ids: readonly number[]): number[] => {
  for (const user_id of ids) if (!state.users.has(user_id)) throw errors.invalidRecipient({ user_id })
  const others = [...new Set(ids)].filter((id) => id !== owner.id)
  return others.length === 0 && ids.length > 0 ? [owner.id] : others
}
