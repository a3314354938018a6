/** The messages of all conversations that are not sent yet: their number, and their list. */

import { useSignal } from '@preact/signals'
import { readableText } from '../emoji/readable-text.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { conversationName } from '../realm/names.js'
import { linkTo } from '../routing/location.js'
import { conversationView } from '../routing/views.js'
import { Dialog } from '../ui/dialog.js'
import { outboxOf } from './outbox.js'
import { isUnsent } from './outgoing.js'
import { OutgoingActions } from './outgoing-actions.js'
import './compose.css'

/** The button that opens the list; nothing when everything is sent. */
export const UnsentButton = () => {
  const chat = useChat()
  const isOpen = useSignal(false)
  const count = outboxOf(chat).messages.value.filter(isUnsent).length
  const close = () => {
    isOpen.value = false
  }
  return (
    <>
      {/* It is always in the page, so that screen readers say the number. */}
      <span class="unsent-place" role="status">
        {count > 0 && (
          <button
            type="button"
            class="button unsent-button"
            onClick={() => {
              isOpen.value = true
            }}
          >
            {t('{count, plural, one {# not sent} other {# not sent}}', { count })}
          </button>
        )}
      </span>
      {isOpen.value && (
        <Dialog title={t('Messages that are not sent')} onClose={close}>
          {count === 0 && <p class="soft-text">{t('Everything is sent.')}</p>}
          <UnsentList onLeave={close} />
        </Dialog>
      )}
    </>
  )
}

/** The list. @param props.onLeave is called when a conversation is opened */
export const UnsentList = ({ onLeave }: { onLeave: () => void }) => {
  const chat = useChat()
  const messages = outboxOf(chat).messages.value.filter(isUnsent)
  return (
    <ul class="unsent-list" aria-label={t('Messages that are not sent')}>
      {messages.map((message) => (
        <li key={message.localId} class={`unsent-row outgoing-${message.state}`}>
          <a class="unsent-conversation" href={linkTo(conversationView(message.conversation))} onClick={onLeave}>
            <bdi>{conversationName(chat, message.conversation)}</bdi>
          </a>
          <p class="unsent-text" dir="auto">
            {readableText(chat, message.content)}
          </p>
          <OutgoingActions message={message} onEdit={onLeave} />
        </li>
      ))}
    </ul>
  )
}
