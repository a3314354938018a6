/** The messages of a conversation that are on their way, at the end of its list. */
import type { Message } from '@parley/client'
import { readableText } from '../emoji/readable-text.js'
import { useChat } from '../realm/chat.js'
import type { Conversation } from '../routing/views.js'
import { Avatar } from '../ui/avatar.js'
import { targetKey } from './compose-target.js'
import { outboxOf } from './outbox.js'
import type { Outgoing } from './outgoing.js'
import { OutgoingActions } from './outgoing-actions.js'

interface OutgoingMessagesProps {
  conversation: Conversation | undefined
  /** the messages in the list: one of them is not on its way any more */
  arrived?: readonly Pick<Message, 'id'>[]
}

/** Shows the messages on their way to the conversation. */
export const OutgoingMessages = ({ conversation, arrived = [] }: OutgoingMessagesProps) => {
  const chat = useChat()
  if (conversation === undefined || conversation.kind === 'channel') return null
  const place = targetKey(chat, conversation)
  const messages = outboxOf(chat)
    .messages.value.filter((message) => targetKey(chat, message.conversation) === place)
    .filter((message) => message.id === undefined || !arrived.some(({ id }) => id === message.id))
  return (
    <>
      {messages.map((message) => (
        <OutgoingMessage key={message.localId} message={message} />
      ))}
    </>
  )
}

const OutgoingMessage = ({ message }: { message: Outgoing }) => {
  const chat = useChat()
  const user = chat.users.value.get(chat.ownUserId ?? 0)
  const action = message.content.startsWith('/me ') ? message.content.slice('/me '.length) : undefined
  return (
    <div class={`outgoing-message outgoing-${message.state}`}>
      {user !== undefined && <Avatar user={user} />}
      <div class="outgoing-main">
        {action === undefined && <bdi class="message-sender">{user?.full_name}</bdi>}
        <p class="outgoing-text" dir="auto">
          {action === undefined ? (
            readableText(chat, message.content)
          ) : (
            <>
              <bdi class="message-sender">{user?.full_name}</bdi> {readableText(chat, action)}
            </>
          )}
        </p>
        <OutgoingActions message={message} />
      </div>
    </div>
  )
}
