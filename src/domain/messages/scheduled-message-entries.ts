/** Entries about a user's scheduled messages. Source: protocol/events.md 2.5 and 3.4, `scheduled_messages`. */
import { z } from 'zod'
import { onlyUsers } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'
import { proxyMedia } from '../rendering/proxied-media.js'

export const scheduledMessageObject = z.object({
  scheduled_message_id: z.int(),
  type: z.enum(['stream', 'private']),
  /** a channel id, or user ids */
  to: z.union([z.int(), z.array(z.int())]),
  topic: z.string().optional(),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean(),
})

export type ScheduledMessage = z.infer<typeof scheduledMessageObject>

const type = z.literal('scheduled_messages')

export const scheduledMessageAdded = entry<{ user_id: number; scheduled_message: ScheduledMessage }>({
  kind: 'scheduled_messages/add',
  type: 'scheduled_messages',
  description: 'The user scheduled messages.',
  content: true,
  event: z.object({ type, op: z.literal('add'), scheduled_messages: z.array(scheduledMessageObject) }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ scheduled_message }, _form, { deployment }) => ({
    type: 'scheduled_messages',
    op: 'add',
    scheduled_messages: [proxyMedia(scheduled_message, ['rendered_content'], deployment)],
  }),
})

export const scheduledMessageUpdated = entry<{ user_id: number; scheduled_message: ScheduledMessage }>({
  kind: 'scheduled_messages/update',
  type: 'scheduled_messages',
  description: 'A scheduled message changed, or could not be sent: `failed` says so.',
  content: true,
  event: z.object({ type, op: z.literal('update'), scheduled_message: scheduledMessageObject }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ scheduled_message }, _form, { deployment }) => ({
    type: 'scheduled_messages',
    op: 'update',
    scheduled_message: proxyMedia(scheduled_message, ['rendered_content'], deployment),
  }),
})

export const scheduledMessageRemoved = entry<{ user_id: number; scheduled_message_id: number }>({
  kind: 'scheduled_messages/remove',
  type: 'scheduled_messages',
  description: 'A scheduled message was sent or deleted.',
  content: true,
  event: z.object({ type, op: z.literal('remove'), scheduled_message_id: z.int() }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ scheduled_message_id }) => ({ type: 'scheduled_messages', op: 'remove', scheduled_message_id }),
})
