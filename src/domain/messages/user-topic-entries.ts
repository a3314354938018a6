/**
 * A user's visibility policy for a topic changed. Source: protocol/events.md 3.2, `user_topic` and `muted_topics`.
 */
import { z } from 'zod'
import { entry } from '../log/entry-kind.js'
import { displayTopic } from './message.js'

/** A user's policy for a topic. */
export interface UserTopic {
  stream_id: number
  topic_name: string
  /** UNIX seconds */
  last_updated: number
  visibility_policy: number
}

/** The recipients' policy for a topic changed. */
export const userTopicChanged = entry<UserTopic & { users: readonly number[] }>({
  kind: 'user_topic',
  type: 'user_topic',
  description: "The user's policy for a topic (muted, unmuted, followed) changed.",
  content: true,
  event: z.object({
    type: z.literal('user_topic'),
    stream_id: z.int(),
    topic_name: z.string(),
    last_updated: z.int(),
    visibility_policy: z.int(),
  }),
  audience: ({ users }) => ({ users }),
  project: ({ users: _, topic_name, ...rest }, { empty_topic_name }) => ({
    type: 'user_topic',
    ...rest,
    topic_name: displayTopic(topic_name, empty_topic_name),
  }),
})

/** A muted topic in the older form. `since`: UNIX seconds. */
export type MutedTopic = readonly [stream_name: string, topic: string, since: number]

/**
 * The muted topics of a user changed. The event has the whole list, for clients that do not request the newer event.
 */
export const mutedTopicsChanged = entry<{ user_id: number; muted_topics: readonly MutedTopic[] }>({
  kind: 'muted_topics',
  type: 'muted_topics',
  description: 'The older form of `user_topic`: the whole list of muted topics.',
  content: true,
  event: z.object({
    type: z.literal('muted_topics'),
    muted_topics: z.array(z.tuple([z.string(), z.string(), z.int()])),
  }),
  audience: ({ user_id }) => ({ users: [user_id] }),
  accepts: (_, { event_types }) => event_types?.includes('user_topic') !== true,
  project: ({ muted_topics }, { empty_topic_name }) => ({
    type: 'muted_topics',
    muted_topics: muted_topics.map(([name, topic, since]) => [name, displayTopic(topic, empty_topic_name), since]),
  }),
})
