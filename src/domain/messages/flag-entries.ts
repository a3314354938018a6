/**
 * A user's own flags of some messages changed. Goes to the user's queues only.
 *
 * Source: protocol/events.md 3.1, `update_message_flags`.
 */
import { z } from 'zod'
import { onlyUsers } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'
import { displayTopic } from './message.js'

/** What a client needs to count a message as unread again. */
const details = z.object({
  type: z.enum(['stream', 'private']),
  mentioned: z.literal(true).optional(),
  /** direct messages: the other participants, ascending */
  user_ids: z.array(z.int()).optional(),
  stream_id: z.int().optional(),
  topic: z.string().optional(),
  unmuted_stream_msg: z.boolean().optional(),
})

export type UnreadDetails = z.infer<typeof details>

export interface UpdateMessageFlagsData {
  user_id: number
  op: 'add' | 'remove'
  flag: string
  /** only those that really changed; empty when `all` */
  messages: readonly number[]
  /** the user marked everything as read */
  all: boolean
  /** only clients with, or without, the capability `archived_channels` get it (store/messages/flags/reach.ts) */
  archived_channels?: boolean
  /** present when messages became unread; keyed by message id */
  message_details?: { readonly [message_id: string]: UnreadDetails }
}

export const updateMessageFlags = entry<UpdateMessageFlagsData>({
  kind: 'update_message_flags',
  type: 'update_message_flags',
  description:
    'Flags of messages were added or removed for this user: read, starred, collapsed. `all` is true if all messages were marked.',
  content: true,
  event: z.object({
    type: z.literal('update_message_flags'),
    op: z.enum(['add', 'remove']),
    operation: z.enum(['add', 'remove']),
    flag: z.string(),
    messages: z.array(z.int()),
    all: z.boolean(),
    message_details: z.record(z.string(), details).optional(),
  }),
  audience: ({ user_id }) => onlyUsers(user_id),
  accepts: ({ archived_channels }, profile) =>
    archived_channels === undefined || archived_channels === profile.archived_channels,
  project: ({ op, flag, messages, all, message_details }, { empty_topic_name }) => ({
    type: 'update_message_flags',
    op,
    operation: op,
    flag,
    messages,
    all,
    ...(message_details === undefined ? {} : { message_details: displayTopics(message_details, empty_topic_name) }),
  }),
})

const displayTopics = (all: { readonly [message_id: string]: UnreadDetails }, empty_topic_name: boolean) => {
  const renamed: Record<string, UnreadDetails> = {}
  for (const [message_id, details] of Object.entries(all)) {
    renamed[message_id] =
      details.topic === undefined ? details : { ...details, topic: displayTopic(details.topic, empty_topic_name) }
  }
  return renamed
}
