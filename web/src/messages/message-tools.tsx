/** The buttons that appear over a message: what can be done with it. */
import type { Message } from '@parley/client'
import { useChat } from '../realm/chat.js'
import { Icon } from '../ui/icon.js'
import { hasFlag } from './flags.js'

/** The buttons of a message. */
export const MessageTools = ({ message }: { message: Message }) => {
  const chat = useChat()
  const isStarred = hasFlag(message, 'starred')
  if (chat.ownUserId === undefined) return null
  return (
    <div class="message-tools">
      <button
        type="button"
        class="icon-button"
        aria-pressed={isStarred}
        aria-label="Star"
        title="Star"
        onClick={() =>
          chat.client.call('POST /messages/flags', {
            messages: [message.id],
            op: isStarred ? 'remove' : 'add',
            flag: 'starred',
          })
        }
      >
        <Icon name="star" size={16} />
      </button>
    </div>
  )
}
