/** The place below the messages where the user writes. */

import { useChat } from '../realm/chat.js'
import { conversationName } from '../realm/names.js'
import type { Conversation } from '../routing/views.js'
import { session, showLogIn } from '../session/session.js'
import { ComposeBox } from './compose-box.js'
import './compose.css'

/** The compose box of a conversation; for a visitor, the way to an account. */
export const ComposeArea = ({ conversation }: { conversation: Conversation | undefined }) => {
  const chat = useChat()
  if (session.value === 'visitor') {
    return (
      <div class="compose-visitor">
        <span class="soft-text">You read as a visitor.</span>
        <button type="button" class="button button-primary" onClick={showLogIn}>
          Log in to write
        </button>
      </div>
    )
  }
  if (conversation === undefined || conversation.kind === 'channel') return null
  return <ComposeBox conversation={conversation} label={`Write to ${conversationName(chat, conversation)}`} />
}
