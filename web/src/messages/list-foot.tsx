/**
 * The line between the messages and the text field: who types, and the way to the newest message while it is out of
 * sight.
 *
 * Its height never changes, so the button covers nothing and moves nothing when it appears.
 */

import type { ReadonlySignal } from '@preact/signals'
import { t } from '../languages/t.js'
import { type Chat, type OpenWindow, useChat } from '../realm/chat.js'
import type { Conversation } from '../routing/views.js'
import { Icon } from '../ui/icon.js'
import type { SeenEnd } from './message-list.js'
import { hasFlag } from './parts/flags.js'
import { TypingLine } from './typing-line.js'
import { unreadIds } from './unread-ids.js'

interface ListFootProps {
  conversation: Conversation | undefined
  /** undefined before it is loaded */
  window: OpenWindow | undefined
  end: ReadonlySignal<SeenEnd>
  onJump: () => void
}

/** Shows the line. */
export const ListFoot = ({ conversation, window, end, onJump }: ListFootProps) => (
  <div class="list-foot">
    <TypingLine conversation={conversation} />
    {window !== undefined && !end.value.isInSight && (
      <JumpButton conversation={conversation} window={window} lastId={end.value.lastId} onJump={onJump} />
    )}
  </div>
)

interface JumpButtonProps {
  conversation: Conversation | undefined
  window: OpenWindow
  lastId: number
  onJump: () => void
}

const JumpButton = ({ conversation, window, lastId, onJump }: JumpButtonProps) => {
  const count = countNew(useChat(), window, conversation, lastId)
  return (
    <button type="button" class={count > 0 ? 'jump-button jump-button-new' : 'jump-button'} onClick={onJump}>
      <Icon name="down" size={14} />
      {count === 0
        ? t('Jump to the newest')
        : t('{count, plural, one {# new message} other {# new messages}}', { count })}
    </button>
  )
}

/** How many unread messages come after the last one that was in sight. */
const countNew = (chat: Chat, window: OpenWindow, conversation: Conversation | undefined, lastId: number): number => {
  const { messages, hasNewest } = window.view.value
  if (hasNewest) return messages.filter((message) => message.id > lastId && !hasFlag(message, 'read')).length
  // The newest messages are not loaded. What is unread is known for conversations.
  if (conversation === undefined) return 0
  return unreadIds(chat, conversation).filter((id) => id > lastId).length
}
