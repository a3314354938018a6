/**
 * Which missed messages a user wants by mail, according to the user's notification settings.
 *
 * A message may match several settings; one that is on is enough. In a muted channel or topic, only a mention of the
 * user or of a group counts. Source: protocol/register.md 5.8 (notification settings).
 */

import { isTopicMuted, TopicPolicy } from '#rules/topic-policies.js'
import type { UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { getSetting } from '../../settings/user-settings.js'
import { anyMention, wildcardMentioned } from '../flags.js'

/** The facts about a message that decide for one user. */
export interface MessageForUser {
  /** undefined: a direct message */
  channel_id: number | undefined
  sender_id: number
  /** how it mentions the user, as bits of domain/messages/flags.ts */
  mentions: number
  /** the user's policy for its topic */
  policy: number | undefined
}

/** Whether the user wants a mail about the message. Its sender and bots do not. */
export const shouldMail = (state: RealmState, user: UserRow, addressed: MessageForUser): boolean => {
  const { channel_id, sender_id, mentions, policy } = addressed
  if (!user.is_active || user.is_bot || user.id === sender_id) return false
  if (state.mutes.get(user.id)?.muted_users.some(({ id }) => id === sender_id) === true) return false
  const isNamed = (mentions & anyMention & ~wildcardMentioned) !== 0
  if (channel_id === undefined || isNamed) return getSetting(user, 'enable_offline_email_notifications')
  const own = state.userSubscriptions(user.id).get(channel_id)
  if (own?.active !== true) return false
  const isFollowed = policy === TopicPolicy.followed
  if (isTopicMuted(policy, own.is_muted)) return false
  if ((mentions & wildcardMentioned) !== 0 && getSetting(user, 'enable_offline_email_notifications')) {
    if (own.wildcard_mentions_notify ?? getSetting(user, 'wildcard_mentions_notify')) return true
    if (isFollowed && getSetting(user, 'enable_followed_topic_wildcard_mentions_notify')) return true
  }
  if (isFollowed && getSetting(user, 'enable_followed_topic_email_notifications')) return true
  return own.email_notifications ?? getSetting(user, 'enable_stream_email_notifications')
}

/** Subscribers with mail notifications for every message of the channel. */
export const subscribersNotifiedOfAll = (state: RealmState, channel_id: number): number[] =>
  [...state.subscribers(channel_id)].filter((user_id) => {
    const user = state.users.get(user_id)
    const own = state.userSubscriptions(user_id).get(channel_id)?.email_notifications
    return own ?? (user !== undefined && getSetting(user, 'enable_stream_email_notifications'))
  })
