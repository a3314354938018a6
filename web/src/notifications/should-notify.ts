/**
 * Decides whether a message notifies the user.
 *
 * 1. The user's own messages, messages that are read already, and those of muted users never notify.
 * 2. A muted topic notifies only of mentions of the user alone, not of mentions of everyone.
 * 3. A setting of the channel that the user has set is stronger than the one for all channels; following a topic adds
 *    to both.
 */
import type { Message } from '@parley/client'
import type { Subscription, TopicPolicy, UserSettings } from '@parley/client/realm'
import { isTopicMuted, policyOf, topicPolicies } from '../realm/unread.js'

/** What the decision depends on. */
export interface NotifyContext {
  ownUserId: number
  settings: Pick<
    UserSettings,
    | 'enable_desktop_notifications'
    | 'enable_stream_desktop_notifications'
    | 'enable_followed_topic_desktop_notifications'
    | 'wildcard_mentions_notify'
    | 'enable_followed_topic_wildcard_mentions_notify'
  >
  subscriptions: ReadonlyMap<
    number,
    Pick<Subscription, 'is_muted' | 'desktop_notifications' | 'wildcard_mentions_notify'>
  >
  policies: ReadonlyMap<number, ReadonlyMap<string, TopicPolicy>>
  mutedUsers: ReadonlySet<number>
}

/** The fields of a message on which the decision depends. */
export type NotifiedMessage = Pick<Message, 'type' | 'sender_id' | 'stream_id' | 'subject'>

/** Whether the message notifies the user in the browser. @param flags the user's flags of the message */
export const shouldNotify = (message: NotifiedMessage, flags: readonly string[], context: NotifyContext): boolean => {
  const { ownUserId, settings, subscriptions, mutedUsers } = context
  if (message.sender_id === ownUserId || flags.includes('read') || mutedUsers.has(message.sender_id)) return false
  if (message.type !== 'stream' || message.stream_id === undefined) return settings.enable_desktop_notifications
  if (flags.includes('mentioned')) return settings.enable_desktop_notifications
  const { stream_id, subject } = message
  if (isTopicMuted(stream_id, subject, context)) return false
  const isFollowed = policyOf(stream_id, subject, context) === topicPolicies.followed
  const subscription = subscriptions.get(stream_id)
  if (flags.includes('stream_wildcard_mentioned') || flags.includes('topic_wildcard_mentioned')) {
    const forChannel = subscription?.wildcard_mentions_notify ?? settings.wildcard_mentions_notify
    const forTopic = isFollowed && settings.enable_followed_topic_wildcard_mentions_notify
    if (settings.enable_desktop_notifications && (forChannel || forTopic)) return true
  }
  if (isFollowed && settings.enable_followed_topic_desktop_notifications) return true
  return subscription?.desktop_notifications ?? settings.enable_stream_desktop_notifications
}
