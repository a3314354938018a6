/** The view `#drafts`: the texts that the user has not sent yet. */

import type { Draft } from '@parley/client/realm'
import { completeTarget, composeTo, focusCompose } from '../compose/compose-target.js'
import { draftTarget } from '../compose/drafts.js'
import { outboxOf } from '../compose/outbox.js'
import { isUnsent } from '../compose/outgoing.js'
import { UnsentList } from '../compose/unsent-messages.js'
import { readableText } from '../emoji/readable-text.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { open } from '../routing/location.js'
import { conversationView } from '../routing/views.js'
import { Icon } from '../ui/icon.js'
import { attempt, say } from '../ui/status-line.js'
import { formatNearMoment } from '../ui/times.js'
import { EmptyPlace } from './empty-place.js'
import { TargetTitle } from './target-title.js'

/** The list of drafts. */
export const DraftsView = () => {
  const chat = useChat()
  const drafts = [...chat.drafts.value.values()].sort((one, other) => other.timestamp - one.timestamp)
  const isAllSent = !outboxOf(chat).messages.value.some(isUnsent)
  if (drafts.length === 0 && isAllSent) {
    return (
      <EmptyPlace
        icon="edit"
        title={t('No drafts')}
        text={t('A text that you begin and do not send is kept here, also for your other devices.')}
      />
    )
  }
  return (
    <div class="place-page" tabIndex={-1}>
      <div class="place-content">
        {!isAllSent && <UnsentList onLeave={() => undefined} />}
        {drafts.length > 0 && (
          <ul class="place-list">
            {drafts.map((draft) => (
              <DraftRow key={draft.id} draft={draft} />
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

const DraftRow = ({ draft }: { draft: Draft }) => {
  const chat = useChat()
  const target = draftTarget(draft)
  const resume = () => {
    const conversation = completeTarget(target)
    if (conversation === undefined) return composeTo(target)
    open(conversationView(conversation))
    focusCompose()
  }
  const remove = () => {
    const { id, ...content } = draft
    const restore = () => chat.client.call('POST /drafts', { drafts: [content] })
    return attempt(
      chat.client
        .call('DELETE /drafts/{draft_id}', { draft_id: id })
        .then(() => say({ text: t('The draft was deleted.'), action: { label: t('Undo'), run: restore } })),
    )
  }
  return (
    <li class="place-row">
      <button type="button" class="place-main" onClick={resume}>
        <TargetTitle target={target} />
        <span class="place-text" dir="auto">
          {readableText(chat, draft.content)}
        </span>
      </button>
      <time class="place-time" dateTime={new Date(draft.timestamp * 1000).toISOString()}>
        {formatNearMoment(draft.timestamp)}
      </time>
      <button
        type="button"
        class="icon-button"
        aria-label={t('Delete the draft')}
        title={t('Delete the draft')}
        onClick={remove}
      >
        <Icon name="trash" size={16} />
      </button>
    </li>
  )
}
