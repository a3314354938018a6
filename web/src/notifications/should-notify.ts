/**
 * Decides whether a message notifies the user.
 *
 * 1. The user's own messages, messages that are read already, and those of muted users never notify.
 * 2. A muted topic notifies only of mentions of the user alone, not of mentions of everyone.
 * 3. A setting of the channel that the user has set is stronger than the one for all channels; following a topic adds
 *    to both.
 */

import type { Message } from '@parley/client'
import type { Subscription, UserSettings } from '@parley/client/realm'
import { isTopicMutedBy, TopicPolicy, topicPolicy } from '#rules/topic-policies.js'

/** What the decision depends on. */
export interface NotifyContext {
  ownUserId: number
  settings: Pick<
    UserSettings,
    | 'enable_desktop_notifications'
    | 'enable_stream_desktop_notifications'
    | 'enable_followed_topic_desktop_notifications'
    | 'enable_sounds'
    | 'enable_stream_audible_notifications'
    | 'enable_followed_topic_audible_notifications'
    | 'wildcard_mentions_notify'
    | 'enable_followed_topic_wildcard_mentions_notify'
  >
  subscriptions: ReadonlyMap<
    number,
    Pick<Subscription, 'is_muted' | 'desktop_notifications' | 'audible_notifications' | 'wildcard_mentions_notify'>
  >
  policies: ReadonlyMap<number, ReadonlyMap<string, TopicPolicy>>
  mutedUsers: ReadonlySet<number>
}

/** The fields of a message on which the decision depends. */
export type NotifiedMessage = Pick<Message, 'type' | 'sender_id' | 'stream_id' | 'subject'>

/** How a message notifies the user while the page is open: by a notification of the browser, or by a sound. */
export type NotifyWay = 'popup' | 'sound'

/** The settings of each way. */
const settingNames = {
  popup: {
    personal: 'enable_desktop_notifications',
    channels: 'enable_stream_desktop_notifications',
    followed: 'enable_followed_topic_desktop_notifications',
    channel: 'desktop_notifications',
  },
  sound: {
    personal: 'enable_sounds',
    channels: 'enable_stream_audible_notifications',
    followed: 'enable_followed_topic_audible_notifications',
    channel: 'audible_notifications',
  },
} as const

/** Whether the message notifies the user in this way. @param flags the user's flags of the message */
export const shouldNotify = (
  way: NotifyWay,
  message: NotifiedMessage,
  flags: readonly string[],
  context: NotifyContext,
): boolean => {
  const { ownUserId, settings, subscriptions, mutedUsers } = context
  const names = settingNames[way]
  if (message.sender_id === ownUserId || flags.includes('read') || mutedUsers.has(message.sender_id)) return false
  if (message.type !== 'stream' || message.stream_id === undefined) return settings[names.personal]
  if (flags.includes('mentioned')) return settings[names.personal]
  const { stream_id, subject } = message
  if (isTopicMutedBy(context, stream_id, subject)) return false
  const isFollowed = topicPolicy(context, stream_id, subject) === TopicPolicy.followed
  const subscription = subscriptions.get(stream_id)
  if (flags.includes('stream_wildcard_mentioned') || flags.includes('topic_wildcard_mentioned')) {
    const forChannel = subscription?.wildcard_mentions_notify ?? settings.wildcard_mentions_notify
    const forTopic = isFollowed && settings.enable_followed_topic_wildcard_mentions_notify
    if (settings[names.personal] && (forChannel || forTopic)) return true
  }
  if (isFollowed && settings[names.followed]) return true
  return subscription?.[names.channel] ?? settings[names.channels]
}
