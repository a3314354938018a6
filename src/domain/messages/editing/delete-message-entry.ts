/**
 * Messages are gone: deleted for everybody, or moved out of somebody's reach.
 *
 * A queue with `bulk_message_deletion` gets one event, others get one per message. An entry yields one event per queue,
 * so n messages are n entries: each tells of one message, and the last of all of them to those who take that.
 * Source: events.md 3.1, `delete_message`.
 */
import { z } from 'zod'
import type { Audience, NewEntry } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'
import { displayTopic } from '../message.js'

/** Messages of one topic, or one direct message. */
export interface Deleted {
  to: Audience
  /** ascending */
  message_ids: readonly number[]
  /** undefined in direct messages */
  stream_id?: number | undefined
  topic?: string | undefined
}

interface DeletedOne extends Omit<Deleted, 'message_ids'> {
  message_id: number
  /** of the last entry: all that are gone */
  message_ids?: readonly number[]
}

/** One message was deleted. `deletedMessages` makes these entries. */
export const messageDeleted = entry<DeletedOne>({
  kind: 'delete_message',
  type: 'delete_message',
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

/** The entries that tell of it. */
export const composeDeletionEntries = ({ message_ids, ...rest }: Deleted): NewEntry[] =>
  message_ids.map((message_id, i) =>
    messageDeleted(i < message_ids.length - 1 ? { ...rest, message_id } : { ...rest, message_id, message_ids }),
  )
