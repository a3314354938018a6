/** Why a message is not sent yet, and what the user can do about it. */
import { t } from '../languages/t.js'
import { type Chat, useChat } from '../realm/chat.js'
import { open } from '../routing/location.js'
import { conversationView } from '../routing/views.js'
import { say } from '../ui/status-line.js'
import { focusCompose } from './compose-target.js'
import { openText } from './drafts.js'
import { outboxOf } from './outbox.js'
import { isUnsent, type Outgoing } from './outgoing.js'

/**
 * Shows the state of the message and its actions. `onEdit`, in a list of messages, is called before the text of the
 * message is edited.
 */
export const OutgoingActions = ({ message, onEdit }: { message: Outgoing; onEdit?: () => void }) => {
  const chat = useChat()
  const outbox = outboxOf(chat)
  const hasFailed = message.state === 'failed'
  if (!isUnsent(message))
    return <div class="outgoing-state">{message.state === 'sent' ? t('Sent.') : t('Sending…')}</div>
  return (
    <div class="outgoing-state" role={hasFailed ? 'alert' : 'status'}>
      <span>{hasFailed ? t('Not sent. {reason}', { reason: message.failure }) : describeWait(chat, message)}</span>
      <button type="button" class="button" onClick={() => outbox.retry(message.localId)}>
        {hasFailed ? t('Send again') : t('Send now')}
      </button>
      <button
        type="button"
        class="button"
        onClick={async () => {
          if (await takeBack(chat, message)) onEdit?.()
        }}
      >
        {t('Edit')}
      </button>
      <button type="button" class="button" onClick={() => outbox.discard(message.localId)}>
        {t('Delete')}
      </button>
    </div>
  )
}

const describeWait = (chat: Chat, { failure }: Outgoing): string => {
  if (chat.connection.value.status !== 'open') return t('Not sent yet. It is sent when the connection is back.')
  return failure === undefined
    ? t('Not sent yet. There was no answer. It is sent again soon.')
    : t('Not sent yet. {reason} It is sent again soon.', { reason: failure })
}

/**
 * Puts the text of a message that was not sent back into the compose box of its conversation.
 * @returns whether it did
 */
const takeBack = async (chat: Chat, { localId, conversation }: Outgoing): Promise<boolean> => {
  let content: string | undefined
  try {
    content = await outboxOf(chat).takeBack(localId)
  } catch {
    say({
      text: t('It is not known yet whether the message arrived. You can edit it when the connection is back.'),
      isFailure: true,
    })
    return false
  }
  if (content === undefined) return false
  const text = openText(chat, conversation)
  const written = text.content.peek()
  text.edit(written.trim() === '' ? content : `${written}\n\n${content}`)
  open(conversationView(conversation))
  focusCompose()
  return true
}
