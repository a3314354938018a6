/**
 * Decides whether a message notifies the user in the browser.
 *
 * Mails follow the same rules (rules/src/notifications.ts). The user's own messages, messages that are read already,
 * and those of muted users never notify. Only here, a message with an alert word notifies as a mention does, unless
 * its topic is muted.
 */

import type { Message } from '@parley/client'
import type { Subscription, UserSettings } from '@parley/client/realm'
import { readMention } from '#rules/mentions.js'
import { shouldNotify as isWanted, type NotificationSettings, type NotifyingTopic } from '#rules/notifications.js'
import { isTopicMuted, type TopicPolicy, topicPolicy } from '#rules/topic-policies.js'

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
  if (message.sender_id === context.ownUserId || flags.includes('read')) return false
  if (context.mutedUsers.has(message.sender_id)) return false
  const settings = readSettings(way, context)
  const topic = findTopic(way, message, context)
  if (flags.includes('has_alert_word') && settings.personal && !isMuted(topic)) return true
  return isWanted(settings, readMention(flags), topic)
}

/** Whether nothing but a mention notifies there. */
const isMuted = (topic: NotifyingTopic | undefined): boolean =>
  topic !== undefined && (topic.channel === undefined || isTopicMuted(topic.policy, topic.channel.is_muted))

const readSettings = (way: NotifyWay, { settings }: NotifyContext): NotificationSettings => {
  const names = settingNames[way]
  return {
    personal: settings[names.personal],
    channels: settings[names.channels],
    followed: settings[names.followed],
    wildcards: settings.wildcard_mentions_notify,
    followedWildcards: settings.enable_followed_topic_wildcard_mentions_notify,
  }
}

const findTopic = (
  way: NotifyWay,
  { type, stream_id, subject }: NotifiedMessage,
  context: NotifyContext,
): NotifyingTopic | undefined => {
  if (type !== 'stream' || stream_id === undefined) return undefined
  const own = context.subscriptions.get(stream_id)
  const channel = own && {
    is_muted: own.is_muted,
    all: own[settingNames[way].channel],
    wildcards: own.wildcard_mentions_notify,
  }
  return { channel, policy: topicPolicy(context, stream_id, subject) }
}
