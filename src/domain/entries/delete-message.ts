/**
 * Messages are gone: deleted for everybody, or moved out of somebody's reach.
 *
 * Clients that do not know of bulk deletions hear of each message by itself. An entry yields at most one event per
 * queue, so there is one entry for all, and one for each. Source: events.md 3.1, `delete_message`.
 */
import { z } from 'zod'
import { type Audience, entry, type NewEntry } from '../entry.js'
import { topicFor } from '../messages.js'

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
}

const place = {
  message_type: z.enum(['stream', 'private']),
  stream_id: z.int().optional(),
  topic: z.string().optional(),
}

const placeOf = ({ stream_id, topic = '' }: Omit<Deleted, 'message_ids'>, empty_topic_name: boolean) =>
  stream_id === undefined
    ? { message_type: 'private' }
    : { message_type: 'stream', stream_id, topic: topicFor(topic, empty_topic_name) }

const all = entry<Deleted>({
  kind: 'delete_message',
  type: 'delete_message',
  content: true,
  event: z.object({ type: z.literal('delete_message'), message_ids: z.array(z.int()), ...place }),
  audience: ({ to }) => to,
  project: (data, { bulk_message_deletion, empty_topic_name }) =>
    bulk_message_deletion
      ? { type: 'delete_message', message_ids: data.message_ids, ...placeOf(data, empty_topic_name) }
      : null,
})

const one = entry<DeletedOne>({
  kind: 'delete_message/one',
  type: 'delete_message',
  content: true,
  event: z.object({ type: z.literal('delete_message'), message_id: z.int(), ...place }),
  audience: ({ to }) => to,
  project: (data, { bulk_message_deletion, empty_topic_name }) =>
    bulk_message_deletion
      ? null
      : { type: 'delete_message', message_id: data.message_id, ...placeOf(data, empty_topic_name) },
})

/** The entries that tell of it. */
export const deletedMessages = (deleted: Deleted): NewEntry[] => {
  const { message_ids, ...rest } = deleted
  return [all(deleted), ...message_ids.map((message_id) => one({ ...rest, message_id }))]
}
