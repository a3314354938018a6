import type { Message } from '@parley/client'
import { directKey, participants } from '@parley/client/realm'
import { type Chat, useChat } from '../../realm/chat.js'
import { channelName, directName, otherParticipants, topicName } from '../../realm/names.js'
import { linkTo } from '../../routing/location.js'
import { type Conversation, channelView, conversationView } from '../../routing/views.js'
import { ChannelMark } from '../../ui/channel-mark.js'
import { Icon } from '../../ui/icon.js'

/** Shows the bar above the messages of a conversation. It is for a list of several conversations. */
export const ConversationBar = ({ message }: { message: Message }) => {
  const chat = useChat()
  const conversation = conversationOfMessage(chat, message)
  const href = linkTo(conversationView(conversation, message.id))
  if (conversation.kind === 'direct') {
    return (
      <div class="conversation-bar">
        <Icon name="direct" size={15} />
        <a href={href}>
          <bdi>{directName(chat, conversation.userIds)}</bdi>
        </a>
      </div>
    )
  }
  const channel = chat.channels.value.get(conversation.channelId)
  return (
    <div class="conversation-bar">
      {channel !== undefined && <ChannelMark channel={channel} size={15} />}
      <a href={linkTo(channelView(conversation.channelId))}>
        <bdi>{channelName(chat, conversation.channelId)}</bdi>
      </a>
      {conversation.kind === 'topic' && (
        <>
          <Icon name="right" size={12} />
          <a class="conversation-topic" href={href}>
            <bdi>{topicName(chat, conversation.topic)}</bdi>
          </a>
        </>
      )}
    </div>
  )
}

/** The conversation to which a message belongs. */
export const conversationOfMessage = (chat: Chat, message: Message): Conversation => {
  if (message.type === 'stream') return { kind: 'topic', channelId: message.stream_id ?? 0, topic: message.subject }
  return { kind: 'direct', userIds: otherParticipants(chat, directKey(participants(message))) }
}
