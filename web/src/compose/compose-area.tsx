/** The place below the messages where the user writes: to the conversation of the view, or to a chosen one. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../languages/t.js'
import { type Chat, useChat } from '../realm/chat.js'
import { conversationName } from '../realm/names.js'
import { findObstacle, type Obstacle } from '../realm/posting.js'
import { linkTo } from '../routing/location.js'
import { type Conversation, conversationView, type SendableConversation } from '../routing/views.js'
import { session, showLogIn } from '../session/session.js'
import { Icon } from '../ui/icon.js'
import { useShortcuts } from '../ui/shortcuts.js'
import { ComposeBox } from './compose-box.js'
import {
  chosenTarget,
  completeTarget,
  composeTo,
  focusCompose,
  insertedText,
  newTarget,
  type Target,
  targetKey,
} from './compose-target.js'
import { openText } from './drafts.js'
import { DraftsButton } from './drafts-button.js'
import { GuestNotice } from './guest-notice.js'
import { ObstacleNotice } from './obstacle-notice.js'
import { outboxOf } from './outbox.js'
import { isUnsent } from './outgoing.js'
import { TargetForm } from './target-form.js'
import './compose.css'

interface ComposeAreaProps {
  conversation: Conversation | undefined
  /** Opens the last message of the user in the view, to be edited. */
  onEditLast?: () => void
}

/** The compose box of a conversation; for a visitor, the way to an account. */
export const ComposeArea = (props: ComposeAreaProps) => {
  if (session.value.state === 'visitor') {
    return (
      <div class="compose-visitor">
        <span class="soft-text">{t('You read as a visitor.')}</span>
        <button type="button" class="button button-primary" onClick={showLogIn}>
          {t('Log in to write')}
        </button>
      </div>
    )
  }
  return <UserComposeArea {...props} />
}

const UserComposeArea = ({ conversation, onEditLast }: ComposeAreaProps) => {
  const chat = useChat()
  const sentTo = useSignal<SendableConversation | undefined>(undefined)
  /** the view in which the user writes without joining the channel */
  const passedAdvice = useSignal<string | number | undefined>(undefined)
  const own: Target | undefined =
    conversation === undefined || conversation.kind === 'channel' ? undefined : conversation
  const chosen = chosenTarget.value
  const target = chosen?.target ?? own
  // The text of a topic keeps its id when the topic is moved: then nothing is chosen anew, and the focus stays.
  const place = own?.kind === 'topic' ? openText(chat, own).id : JSON.stringify(conversation)

  const obstacle = findPlaceObstacle(chat, chosen?.target, conversation)
  // What is written already stays in sight.
  const hasText = obstacle !== undefined && own !== undefined && openText(chat, own).content.value.trim() !== ''
  const writesAnyway = obstacle?.isAdvice === true && (passedAdvice.value === place || insertedText.value !== '')
  const isHeld = obstacle !== undefined && chosen === undefined && !writesAnyway && !hasText

  useEffect(() => {
    // Another view has another conversation: what was chosen for the last one stays as its draft.
    return () => {
      chosenTarget.value = undefined
      sentTo.value = undefined
    }
  }, [place])
  const begin = () => (own === undefined ? composeTo(newTarget(conversation)) : focusCompose())
  useShortcuts({
    compose: begin,
    composeElsewhere: () => composeTo(newTarget(conversation)),
    composeDirect: () => composeTo({ kind: 'direct', userIds: [] }),
  })
  const leave = () => {
    chosenTarget.value = undefined
    document.querySelector<HTMLElement>('.message-scroller, .inbox-page, .place-page')?.focus()
  }
  const onSent = () => {
    const sent = target === undefined ? undefined : completeTarget(target)
    if (chosen === undefined || sent === undefined) return
    sentTo.value = sent
    if (chosen.isFixed) chosenTarget.value = undefined
  }

  return (
    <div class={chosen === undefined ? 'compose-box' : 'compose-box compose-box-chosen'}>
      {sentTo.value !== undefined && <SentNote to={sentTo.value} />}
      {obstacle !== undefined && !writesAnyway && (
        <ObstacleNotice
          obstacle={obstacle}
          onWrite={() => {
            passedAdvice.value = place
            begin()
          }}
        />
      )}
      {isHeld ? null : target === undefined ? (
        <div class="compose-closed">
          <button type="button" class="button" onClick={begin}>
            <Icon name="edit" size={16} /> {t('New message')}
          </button>
          <DraftsButton />
        </div>
      ) : (
        <>
          {chosen !== undefined && (
            <div class="compose-target">
              {chosen.isFixed ? (
                <span class="compose-reply">
                  {t.rich('To {recipient}', {}, { recipient: <bdi>{nameTarget(chat, chosen.target)}</bdi> })}
                </span>
              ) : (
                <TargetForm
                  target={chosen.target}
                  onChange={(next) => {
                    chosenTarget.value = { ...chosen, target: next }
                  }}
                />
              )}
            </div>
          )}
          <GuestNotice target={target} />
          <ComposeBox
            key={chosen === undefined || chosen.isFixed ? openText(chat, target).id : `chosen${chosen.newText ?? ''}`}
            target={target}
            isNew={chosen?.newText !== undefined}
            onSent={onSent}
            onEscape={leave}
            onEditLast={onEditLast}
          />
          {chosen !== undefined && (
            // Above the text, but behind it for the keyboard: Tab goes from the topic to the text.
            <div class="compose-target-tools">
              <DraftsButton />
              <button type="button" class="icon-button" aria-label={t('Close the text field')} onClick={leave}>
                <Icon name="close" size={16} />
              </button>
            </div>
          )}
        </>
      )}
    </div>
  )
}

/** What keeps the user from writing where a message would go: to the chosen recipient, else to that of the view. */
const findPlaceObstacle = (
  chat: Chat,
  chosen: Target | undefined,
  conversation: Conversation | undefined,
): Obstacle | undefined => {
  // The topic can still be chosen.
  if (chosen?.kind === 'topic' && chosen.channelId !== undefined) {
    return findObstacle(chat, { kind: 'channel', channelId: chosen.channelId })
  }
  const place = chosen === undefined ? conversation : completeTarget(chosen)
  return place === undefined ? undefined : findObstacle(chat, place)
}

const nameTarget = (chat: ReturnType<typeof useChat>, target: Target): string => {
  const conversation = completeTarget(target)
  return conversation === undefined ? '' : conversationName(chat, conversation)
}

/** Tells what became of the message that was sent to another conversation than that of the view. */
const SentNote = ({ to }: { to: SendableConversation }) => {
  const chat = useChat()
  const place = targetKey(chat, to)
  const onTheWay = outboxOf(chat).messages.value.filter(({ conversation }) => targetKey(chat, conversation) === place)
  const last = onTheWay.at(-1)
  const conversation = (
    <a href={linkTo(conversationView(to))}>
      <bdi>{conversationName(chat, to)}</bdi>
    </a>
  )
  return (
    <p class={last?.state === 'failed' ? 'compose-note compose-note-failed' : 'compose-note'} role="status">
      {last === undefined || last.state === 'sent'
        ? t.rich('Sent to {conversation}', {}, { conversation })
        : last.state === 'failed'
          ? t.rich('Not sent yet to {conversation}: {reason}', {}, { conversation, reason: last.failure ?? '' })
          : isUnsent(last)
            ? t.rich('Not sent yet to {conversation}', {}, { conversation })
            : t.rich('Sending to {conversation}', {}, { conversation })}
    </p>
  )
}
