/**
 * The recipients lost messages: the messages were deleted, or were moved to a channel that the recipients cannot read.
 *
 * A queue with `bulk_message_deletion` gets one event for all messages, other queues get one event per message. An
 * entry yields at most one event per queue, so n messages make n entries. Each entry names one message; the last entry
 * also names all of them, for the queues with `bulk_message_deletion`.
 * Source: protocol/events.md 3.1, `delete_message`.
 */
import { z } from 'zod'
import type { Audience, NewEntry } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'
import { displayTopic } from '../message.js'

/** Messages of one topic, or one direct message, that the recipients lost. */
export interface LostMessages {
  to: Audience
  /** ascending */
  message_ids: readonly number[]
  /** undefined in direct messages */
  stream_id?: number | undefined
  topic?: string | undefined
}

export interface LostMessage extends Omit<LostMessages, 'message_ids'> {
  message_id: number
  /** only in the last entry: all lost messages */
  message_ids?: readonly number[]
}

/** The recipients lost one message. `composeDeletionEntries` makes these entries. */
export const messageDeleted = entry<LostMessage>({
  kind: 'delete_message',
  type: 'delete_message',
  description: 'Messages that the user received were deleted. Clients remove them from every view.',
  content: true,
  event: z.object({
    type: z.literal('delete_message'),
    message_ids: z.array(z.int()).optional(),
    message_id: z.int().optional(),
    message_type: z.enum(['stream', 'private']),
    stream_id: z.int().optional(),
    topic: z.string().optional(),
  }),
  audience: ({ to }) => to,
  project({ stream_id, topic = '', message_id, message_ids }, { bulk_message_deletion, empty_topic_name }) {
    if (bulk_message_deletion && message_ids === undefined) return null
    const which = bulk_message_deletion ? { message_ids } : { message_id }
    return stream_id === undefined
      ? { type: 'delete_message', ...which, message_type: 'private' }
      : {
          type: 'delete_message',
          ...which,
          message_type: 'stream',
          stream_id,
          topic: displayTopic(topic, empty_topic_name),
        }
  },
})

/** The entries for recipients who lost messages. */
export const composeDeletionEntries = ({ message_ids, ...rest }: LostMessages): NewEntry[] =>
  message_ids.map((message_id, i) =>
    messageDeleted(i < message_ids.length - 1 ? { ...rest, message_id } : { ...rest, message_id, message_ids }),
  )
