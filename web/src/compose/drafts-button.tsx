/** The button that opens the list of drafts. */
import type { Draft } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { useChat } from '../realm/chat.js'
import { conversationName } from '../realm/names.js'
import { open } from '../routing/location.js'
import { conversationView } from '../routing/views.js'
import { Dialog } from '../ui/dialog.js'
import { Icon } from '../ui/icon.js'
import { completeTarget, composeTo, focusCompose } from './compose-target.js'
import { draftTarget } from './drafts.js'
import { UnsentList } from './unsent-messages.js'

/** Shows the number of drafts; nothing if there are none. */
export const DraftsButton = () => {
  const chat = useChat()
  const isOpen = useSignal(false)
  const drafts = [...chat.drafts.value.values()].sort((one, other) => other.timestamp - one.timestamp)
  const close = () => {
    isOpen.value = false
  }
  if (drafts.length === 0 && !isOpen.value) return null
  return (
    <>
      <button
        type="button"
        class="button"
        onClick={() => {
          isOpen.value = true
        }}
      >
        Drafts ({drafts.length})
      </button>
      {isOpen.value && (
        <Dialog title="Drafts" onClose={close}>
          <UnsentList onLeave={close} />
          {drafts.length === 0 && <p class="soft-text">There are no drafts.</p>}
          <ul class="draft-list">
            {drafts.map((draft) => (
              <DraftRow key={draft.id} draft={draft} onClose={close} />
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}

const DraftRow = ({ draft, onClose }: { draft: Draft; onClose: () => void }) => {
  const chat = useChat()
  const target = draftTarget(draft)
  const conversation = completeTarget(target)
  const resume = () => {
    onClose()
    if (conversation === undefined) composeTo(target)
    else {
      open(conversationView(conversation))
      focusCompose()
    }
  }
  return (
    <li class="draft-row">
      <button type="button" class="draft-open" onClick={resume}>
        <strong>{conversation === undefined ? 'No recipient yet' : conversationName(chat, conversation)}</strong>
        <span class="draft-text">{draft.content}</span>
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label="Delete the draft"
        title="Delete the draft"
        onClick={() => chat.client.call('DELETE /drafts/{draft_id}', { draft_id: draft.id }).catch(() => undefined)}
      >
        <Icon name="trash" size={16} />
      </button>
    </li>
  )
}
