/** Names of users, channels and conversations, and who takes part in them. */

import { isGuest } from '#rules/roles.js'
import { emptyTopicName } from '#rules/topics.js'
import { listNames } from '../languages/lists.js'
import { t } from '../languages/t.js'
import type { Conversation } from '../routing/views.js'
import type { Chat } from './chat.js'

/** The name of a user without a mark, as mentions write it. A user who is not visible has a text in its place. */
export const fullName = (chat: Chat, userId: number): string =>
  chat.users.value.get(userId)?.full_name ?? t('Unknown user')

/** Whether the name of the user gets the mark of guests. The organization decides whether there is one. */
export const isMarkedGuest = (chat: Chat, userId: number): boolean => {
  const user = chat.users.value.get(userId)
  return user !== undefined && isGuest(user) && chat.organization.value.realm_enable_guest_user_indicator === true
}

/** The name of a user as it is shown. A user who is not visible has a text in its place. */
export const userName = (chat: Chat, userId: number): string => {
  const name = fullName(chat, userId)
  return isMarkedGuest(chat, userId) ? t('{name} (guest)', { name }) : name
}

/** The name of a channel without `#`. */
export const channelName = (chat: Chat, channelId: number): string =>
  chat.channels.value.get(channelId)?.name ?? t('unknown channel')

/** The name of a topic as it is shown. The server has an English name for the empty topic. */
export const topicName = (chat: Chat, topic: string): string => {
  if (topic !== '') return topic
  const { realm_empty_topic_display_name: name = emptyTopicName } = chat.organization.value
  return name === emptyTopicName ? t('general chat') : name
}

/**
 * Returns the other participants of a conversation. A key such as `'5,7'` names it. For notes to oneself, it returns
 * the user alone.
 */
export const otherParticipants = (chat: Chat, key: string): number[] => {
  const ids = key.split(',').map(Number)
  const others = ids.filter((id) => id !== chat.ownUserId)
  return others.length === 0 ? ids : others
}

/** The names of the other participants of a conversation. */
export const directName = (chat: Chat, userIds: readonly number[]): string => {
  const name = listNames(userIds.map((id) => userName(chat, id)))
  return userIds.length === 1 && userIds[0] === chat.ownUserId ? t('{name} (you)', { name }) : name
}

/** The name of a conversation. */
export const conversationName = (chat: Chat, conversation: Conversation): string => {
  if (conversation.kind === 'direct') return directName(chat, conversation.userIds)
  const channel = `#${channelName(chat, conversation.channelId)}`
  return conversation.kind === 'channel' ? channel : `${channel} › ${topicName(chat, conversation.topic)}`
}
