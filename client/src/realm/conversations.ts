/** Names of conversations, and how messages are assigned to them. */
import { isTopicMutedBy, type Muting, topicPolicy as policyOf, type TopicPolicy } from '#rules/topic-policies.js'
import { resolvedPrefix } from '#rules/topics.js'
import type { Message } from '../kernel/api.js'
import type { Channel, Realm } from './types.js'

/** The sign before the name of a resolved topic. */
export const RESOLVED = resolvedPrefix

/** The fields of a message that say where it is. */
export type Placed = Pick<Message, 'type' | 'display_recipient' | 'stream_id' | 'subject'>

/**
 * Returns the participants of a conversation, as in `Unread.direct`. Their ids are ascending and separated by commas.
 */
export const directKey = (userIds: Iterable<number>): string => [...new Set(userIds)].sort((a, b) => a - b).join()

/** Returns the participants of a direct message, the user included. */
export const participants = ({ display_recipient }: Placed): number[] =>
  typeof display_recipient === 'string' ? [] : display_recipient.map(({ id }) => id)

/** Returns the name of a message's conversation, as in `Realm.typing`. */
export const conversationKey = (message: Placed): string =>
  message.type === 'stream'
    ? channelConversation(message.stream_id as number, message.subject)
    : directConversation(participants(message))

/** Returns the name of a topic of a channel. Topics that differ only in case are one topic. */
export const channelConversation = (channelId: number, topic: string): string =>
  `channel:${channelId}:${topic.toLowerCase()}`

/** Returns the name of a conversation between these users. The caller is one of them. */
export const directConversation = (userIds: Iterable<number>): string => `direct:${directKey(userIds)}`

/** Returns the user's policy for a topic. */
export const topicPolicy = (realm: Pick<Realm, 'topicPolicies'>, channelId: number, topic: string): TopicPolicy =>
  policyOf({ policies: realm.topicPolicies.get() }, channelId, topic)

/** Whether a topic is muted, so that its messages do not count as unread. The channel or the topic may be muted. */
export const isTopicMuted = (
  realm: Pick<Realm, 'topicPolicies' | 'subscriptions'>,
  channelId: Channel['stream_id'],
  topic: string,
): boolean => isTopicMutedBy(readMuting(realm), channelId, topic)

/** Reads the stores as the rules need them. */
const readMuting = ({ topicPolicies, subscriptions }: Pick<Realm, 'topicPolicies' | 'subscriptions'>): Muting => ({
  policies: topicPolicies.get(),
  subscriptions: subscriptions.get(),
})
