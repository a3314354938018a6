import { channelConversation, directConversation } from '@parley/client/realm'
import { useChat } from '../realm/chat.js'
import { userName } from '../realm/names.js'
import type { Conversation } from '../routing/views.js'

/** Says who types in the conversation that is open. Its place stays empty when nobody does. */
export const TypingLine = ({ conversation }: { conversation: Conversation | undefined }) => {
  const chat = useChat()
  if (conversation === undefined || conversation.kind === 'channel') return null
  const key =
    conversation.kind === 'topic'
      ? channelConversation(conversation.channelId, conversation.topic)
      : directConversation([...conversation.userIds, ...(chat.ownUserId === undefined ? [] : [chat.ownUserId])])
  const names = [...(chat.typing.value.get(key) ?? [])].map((id) => userName(chat, id))
  return (
    <p class="typing-line" aria-live="polite">
      {describe(names)}
    </p>
  )
}

const describe = (names: readonly string[]): string => {
  if (names.length === 0) return ''
  if (names.length === 1) return `${names[0]} is typing…`
  return names.length <= 3 ? `${names.join(', ')} are typing…` : 'Several people are typing…'
}
