/** The messages of a conversation that are on their way, at the end of its list. */
import type { ComponentChildren } from 'preact'
import { type Chat, useChat } from '../realm/chat.js'
import { open } from '../routing/location.js'
import { conversationView } from '../routing/views.js'
import { Avatar } from '../ui/avatar.js'
import { focusCompose } from './compose-target.js'
import { openText } from './drafts.js'
import { type Outgoing, outboxOf } from './outbox.js'

/** Shows the messages on their way that `isShown` accepts. */
export const OutgoingMessages = ({ isShown }: { isShown: (message: Outgoing) => boolean }) => {
  const chat = useChat()
  const messages = outboxOf(chat).messages.value.filter(isShown)
  return (
    <>
      {messages.map((message) => (
        <OutgoingMessage key={message.localId} message={message} />
      ))}
    </>
  )
}

/** Puts the text of a message that failed back into the compose box of its conversation. */
const takeBack = async (chat: Chat, { localId, conversation }: Outgoing): Promise<void> => {
  // Without a connection it is not known whether the message arrived: it stays as it is.
  const content = await outboxOf(chat)
    .takeBack(localId)
    .catch(() => undefined)
  if (content === undefined) return
  const text = openText(chat, conversation)
  const written = text.content.peek()
  text.edit(written.trim() === '' ? content : `${written}\n\n${content}`)
  open(conversationView(conversation))
  focusCompose()
}

const OutgoingMessage = ({ message }: { message: Outgoing }) => {
  const chat = useChat()
  const user = chat.users.value.get(chat.ownUserId ?? 0)
  const outbox = outboxOf(chat)
  const hasFailed = message.state === 'failed'
  return (
    <div class={`outgoing-message outgoing-${message.state}`}>
      {user !== undefined && <Avatar user={user} />}
      <div class="outgoing-main">
        <span class="message-sender">{user?.full_name}</span>
        <p class="outgoing-text">{message.content}</p>
        <State isAlert={hasFailed}>
          {hasFailed ? (
            <>
              <span>Not sent. {message.failure}</span>
              <button type="button" class="button" onClick={() => outbox.retry(message.localId)}>
                Send again
              </button>
              <button type="button" class="button" onClick={() => takeBack(chat, message)}>
                Edit
              </button>
              <button type="button" class="button" onClick={() => outbox.discard(message.localId)}>
                Discard
              </button>
            </>
          ) : (
            'Sending…'
          )}
        </State>
      </div>
    </div>
  )
}

const State = ({ isAlert, children }: { isAlert: boolean; children: ComponentChildren }) => (
  <div class="outgoing-state" role={isAlert ? 'alert' : undefined}>
    {children}
  </div>
)
