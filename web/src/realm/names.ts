/** Names of users, channels and conversations, and who takes part in them. */
import type { Conversation } from '../routing/views.js'
import type { Chat } from './chat.js'

/** The name of a user; a text in its place for a user who is not visible. */
export const userName = (chat: Chat, userId: number): string =>
  chat.users.value.get(userId)?.full_name ?? 'Unknown user'

/** The name of a channel without `#`. */
export const channelName = (chat: Chat, channelId: number): string =>
  chat.channels.value.get(channelId)?.name ?? 'unknown channel'

/** Returns the name of a topic as it is shown. The empty topic has a name of the organization's choice. */
export const topicName = (chat: Chat, topic: string): string =>
  topic === '' ? (chat.organization.value.realm_empty_topic_display_name ?? 'general chat') : topic

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
export const directName = (chat: Chat, userIds: readonly number[]): string =>
  userIds.map((id) => userName(chat, id)).join(', ') +
  (userIds.length === 1 && userIds[0] === chat.ownUserId ? ' (you)' : '')

/** The name of a conversation. */
export const conversationName = (chat: Chat, conversation: Conversation): string => {
  if (conversation.kind === 'direct') return directName(chat, conversation.userIds)
  const channel = `#${channelName(chat, conversation.channelId)}`
  return conversation.kind === 'channel' ? channel : `${channel} › ${topicName(chat, conversation.topic)}`
}
