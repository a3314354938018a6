/**
 * Deleted messages were restored, with their former ids.
 *
 * The protocol has no event for this. A `message` event would be wrong: clients append its message to the newest ones,
 * count it as unread and notify the user. So clients that know nothing of this event see the messages when they fetch
 * history the next time, and others fetch it again now. Source: protocol/messages.md 4.8.
 */
import { z } from 'zod'
import type { Audience } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'
import { displayTopic } from '../message.js'

/** Messages of one topic, or of one conversation, that the recipients have again. */
export interface RestoredMessages {
  to: Audience
  /** ascending */
  message_ids: readonly number[]
  /** undefined in direct messages */
  stream_id?: number | undefined
  topic?: string | undefined
}

/** The recipients have these messages again. */
export const messagesRestored = entry<RestoredMessages>({
  kind: 'restore_message',
  type: 'restore_message',
  description:
    'Deleted messages were restored, with their former ids. Clients that show the topic or the conversation fetch it again.',
  content: true,
  event: z.object({
    type: z.literal('restore_message'),
    message_ids: z.array(z.int()),
    message_type: z.enum(['stream', 'private']),
    stream_id: z.int().optional(),
    topic: z.string().optional(),
  }),
  audience: ({ to }) => to,
  project: ({ stream_id, topic = '', message_ids }, { empty_topic_name }) =>
    stream_id === undefined
      ? { type: 'restore_message', message_ids, message_type: 'private' }
      : {
          type: 'restore_message',
          message_ids,
          message_type: 'stream',
          stream_id,
          topic: displayTopic(topic, empty_topic_name),
        },
})
