/**
 * Which missed messages a user wants by mail, according to the user's notification settings.
 *
 * Notifications of the page follow the same rules (rules/src/notifications.ts). Source: protocol/register.md 5.8.
 */

import { type NotificationSettings, type NotifyingChannel, shouldNotify } from '#rules/notifications.js'
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
  const mention = {
    isNamed: (mentions & anyMention & ~wildcardMentioned) !== 0,
    isWildcard: (mentions & wildcardMentioned) !== 0,
  }
  const topic = channel_id === undefined ? undefined : { channel: findSubscribed(state, user, channel_id), policy }
  return shouldNotify(readMailSettings(user), mention, topic)
}

const readMailSettings = (user: UserRow): NotificationSettings => ({
  personal: getSetting(user, 'enable_offline_email_notifications'),
  channels: getSetting(user, 'enable_stream_email_notifications'),
  followed: getSetting(user, 'enable_followed_topic_email_notifications'),
  wildcards: getSetting(user, 'wildcard_mentions_notify'),
  followedWildcards: getSetting(user, 'enable_followed_topic_wildcard_mentions_notify'),
})

const findSubscribed = (state: RealmState, user: UserRow, channel_id: number): NotifyingChannel | undefined => {
  const own = state.userSubscriptions(user.id).get(channel_id)
  if (own?.active !== true) return undefined
  return { is_muted: own.is_muted, all: own.email_notifications, wildcards: own.wildcard_mentions_notify }
}

/** Subscribers with mail notifications for every message of the channel. */
export const subscribersNotifiedOfAll = (state: RealmState, channel_id: number): number[] =>
  [...state.subscribers(channel_id)].filter((user_id) => {
    const user = state.users.get(user_id)
    const own = state.userSubscriptions(user_id).get(channel_id)?.email_notifications
    return own ?? (user !== undefined && getSetting(user, 'enable_stream_email_notifications'))
  })
