/**
 * A user added or removed a reaction. Source: protocol/events.md 3.1, `reaction`.
 */
import { z } from 'zod'
import type { Audience } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'
import { reactionTypeName } from '../protocol/aliases.js'
import type { Emoji } from './chosen-emoji.js'

const reactor = z.object({ user_id: z.int(), email: z.string(), full_name: z.string() })

export type Reactor = z.infer<typeof reactor>

interface Reaction extends Emoji {
  /** the users who may read the message */
  to: Audience
  op: 'add' | 'remove'
  message_id: number
  user: Reactor
  /** guests who may not know the reacting user, and the user object that they get instead */
  masked?: { users: readonly number[]; user: Reactor } | undefined
}

export const reaction = entry<Reaction>({
  kind: 'reaction',
  type: 'reaction',
  description: 'A user added or removed an emoji reaction of a message: `op` says which.',
  content: true,
  event: z.object({
    type: z.literal('reaction'),
    op: z.enum(['add', 'remove']),
    message_id: z.int(),
    emoji_name: z.string(),
    emoji_code: z.string(),
    reaction_type: z.string(),
    user_id: z.int(),
    user: reactor,
  }),
  audience: ({ to }) => to,
  personalRecipients: ({ masked }) => masked?.users ?? [],
  project({ op, message_id, emoji_name, emoji_code, reaction_type, user, masked }, form, { recipient }) {
    const isMasked = recipient !== undefined && masked?.users.includes(recipient.user_id) === true
    return {
      type: 'reaction',
      op,
      message_id,
      emoji_name,
      emoji_code,
      reaction_type: reactionTypeName(form, reaction_type),
      user_id: user.user_id,
      user: isMasked ? masked.user : user,
    }
  },
})
