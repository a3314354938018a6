/**
 * A user started or stopped typing. Ephemeral: never stored, and lost while Redis is away. Source: protocol/events.md
 * 3.1.
 */
import { z } from 'zod'
import type { Audience } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'
import { displayTopic } from './message.js'

const op = z.enum(['start', 'stop'])
export const typingUser = z.object({ user_id: z.int(), email: z.string() })

export type TypingOp = z.infer<typeof op>

interface Typing {
  to: Audience
  op: TypingOp
  sender: z.infer<typeof typingUser>
  /** a topic of a channel, or the recipients of a direct message */
  place: { stream_id: number; topic: string } | { recipients: z.infer<typeof typingUser>[] }
}

/** A user types a new message. */
export const typing = entry<Typing>({
  kind: 'typing',
  type: 'typing',
  description:
    'A user began or stopped typing a message to the user, or in a channel. Clients show it for 45 seconds unless it is repeated. It is never stored: a client that was away for longer does not receive it.',
  event: z.object({
    type: z.literal('typing'),
    op,
    message_type: z.enum(['direct', 'stream']),
    sender: typingUser,
    recipients: z.array(typingUser).optional(),
    stream_id: z.int().optional(),
    topic: z.string().optional(),
  }),
  audience: ({ to }) => to,
  project({ op, sender, place }, { stream_typing_notifications, empty_topic_name }) {
    if ('recipients' in place) return { type: 'typing', op, message_type: 'direct', sender, ...place }
    if (!stream_typing_notifications) return null
    const topic = displayTopic(place.topic, empty_topic_name)
    return { type: 'typing', op, message_type: 'stream', sender, stream_id: place.stream_id, topic }
  },
})

const recipient = z.union([
  z.object({ type: z.literal('channel'), channel_id: z.int(), topic: z.string() }),
  z.object({ type: z.literal('direct'), user_ids: z.array(z.int()) }),
])

interface EditTyping {
  to: Audience
  op: TypingOp
  sender_id: number
  message_id: number
  recipient: z.infer<typeof recipient>
}

/** A user edits a message. */
export const editTyping = entry<EditTyping>({
  kind: 'typing_edit_message',
  type: 'typing_edit_message',
  description: 'A user began or stopped editing a message. It is never stored.',
  event: z.object({
    type: z.literal('typing_edit_message'),
    op,
    sender_id: z.int(),
    message_id: z.int(),
    recipient,
  }),
  audience: ({ to }) => to,
  project({ to: _, recipient, ...rest }, { empty_topic_name }) {
    const shown =
      recipient.type === 'channel'
        ? { ...recipient, topic: displayTopic(recipient.topic, empty_topic_name) }
        : recipient
    return { type: 'typing_edit_message', ...rest, recipient: shown }
  },
})
