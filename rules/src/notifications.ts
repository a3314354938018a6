/**
 * Whether a message notifies a user in one way, for example by mail or by a sound.
 *
 * 1. A direct message, and a mention by name, notify where `personal` is on.
 * 2. Nothing else notifies in a muted topic, or in a channel without a subscription.
 * 3. A setting of the channel that the user has set is stronger than the one for all channels. Following a topic adds
 *    to both.
 *
 * Source: protocol/register.md 5.8.
 */
import type { Mention } from './mentions.js'
import { isTopicMuted, TopicPolicy } from './topic-policies.js'

/** What notifies a user in one way. */
export interface NotificationSettings {
  /** direct messages and mentions */
  readonly personal: boolean
  /** all messages of channels */
  readonly channels: boolean
  /** all messages of followed topics */
  readonly followed: boolean
  /** mentions of all readers of a channel or topic, where `personal` is on */
  readonly wildcards: boolean
  /** the same in followed topics */
  readonly followedWildcards: boolean
}

/** A channel to which the user is subscribed. Settings that are null are those for all channels. */
export interface NotifyingChannel {
  readonly is_muted: boolean
  /** all messages of the channel */
  readonly all: boolean | null
  readonly wildcards: boolean | null
}

/** Where a message is. */
export interface NotifyingTopic {
  /** undefined: the user is not subscribed */
  readonly channel: NotifyingChannel | undefined
  /** the user's policy for the topic; undefined: none */
  readonly policy: number | undefined
}

/** Whether a message of another user notifies. @param topic undefined for a direct message */
export const shouldNotify = (
  settings: NotificationSettings,
  { isNamed, isWildcard }: Mention,
  topic: NotifyingTopic | undefined,
): boolean => {
  if (topic === undefined || isNamed) return settings.personal
  const { channel, policy } = topic
  if (channel === undefined || isTopicMuted(policy, channel.is_muted)) return false
  const isFollowed = policy === TopicPolicy.followed
  if (isWildcard && settings.personal) {
    if (channel.wildcards ?? settings.wildcards) return true
    if (isFollowed && settings.followedWildcards) return true
  }
  if (isFollowed && settings.followed) return true
  return channel.all ?? settings.channels
}
