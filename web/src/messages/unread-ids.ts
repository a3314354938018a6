import { directKey } from '@parley/client/realm'
import type { Chat } from '../realm/chat.js'
import type { Conversation } from '../routing/views.js'

/** The ids of the unread messages of a conversation. */
export const unreadIds = (chat: Chat, conversation: Conversation): readonly number[] => {
  const { channels, direct } = chat.unread.value
  if (conversation.kind === 'direct') return direct.get(directKey([...conversation.userIds, chat.ownUserId ?? 0])) ?? []
  const topics = [...(channels.get(conversation.channelId) ?? [])]
  return topics.flatMap(([topic, ids]) =>
    conversation.kind === 'channel' || topic.toLowerCase() === conversation.topic.toLowerCase() ? ids : [],
  )
}
