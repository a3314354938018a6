/** One message, with the bar, the day and the line that stand above it. */

import type { Message } from '@parley/client'
import { useComputed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { StatusEmoji } from '../emoji/status-emoji.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { userName } from '../realm/names.js'
import { Avatar } from '../ui/avatar.js'
import { Boundary } from '../ui/boundary.js'
import { formatDay, formatFullTime, formatShortTime, formatTime } from '../ui/times.js'
import { UserName } from '../ui/user-name.js'
import { EditForm } from './actions/edit-form.js'
import { beginAction, openAction } from './actions/open-action.js'
import { messagePermissions } from './actions/permissions.js'
import { Fold } from './fold.js'
import { FoundFiles } from './found-files.js'
import { MessageTools } from './message-tools.js'
import { ConversationBar } from './parts/conversation-bar.js'
import { hasFlag, isMention } from './parts/flags.js'
import { useMentions } from './parts/mentions.js'
import { Reactions } from './parts/reactions.js'
import { SentText } from './parts/sent-text.js'
import type { MentionContext } from './rendered/enliven.js'
import { MessageWidget, useWidget } from './widgets/message-widget.js'

interface MessageArticleProps {
  message: Message
  hasBar: boolean
  hasDay: boolean
  hasSender: boolean
  isFirstUnread: boolean
  isSelected: boolean
  canFocus: boolean
}

/** One message. It is built again only if its own message changed. One that cannot be drawn is a line that says so. */
export const MessageArticle = (props: MessageArticleProps) => (
  <Boundary note={t('This message cannot be shown.')} of={props.message} fallback={() => <UnshownMessage {...props} />}>
    <DrawnMessage {...props} />
  </Boundary>
)

const DrawnMessage = (props: MessageArticleProps) => {
  const { message, hasBar, hasDay, hasSender, isFirstUnread, isSelected, canFocus } = props
  const chat = useChat()
  const mentions = useMentions(chat, message.flags)
  const sender = chat.users.value.get(message.sender_id) ?? {
    user_id: message.sender_id,
    full_name: message.sender_full_name,
    avatar_url: message.avatar_url,
  }
  // A sender who is not known any more has the name of the message.
  const name = chat.users.value.has(message.sender_id) ? userName(chat, message.sender_id) : sender.full_name
  const date = new Date(message.timestamp * 1000)
  const isAction = message.is_me_message === true
  const marks = (
    <>
      <time class="message-time" dateTime={date.toISOString()} title={formatFullTime(date)}>
        {formatTime(date)}
      </time>
      <EditedMark message={message} />
    </>
  )
  const classes = [
    'message-article',
    hasSender && 'message-with-sender',
    !hasFlag(message, 'read') && 'message-unread',
    isMention(message) && 'message-mention',
    isSelected && 'message-selected',
  ]
  return (
    <article
      class={classes.filter(Boolean).join(' ')}
      data-id={message.id}
      tabIndex={canFocus ? 0 : -1}
      aria-label={t('{name}, {time}', { name: userName(chat, message.sender_id), time: formatTime(date) })}
    >
      {hasDay && (
        <div class="day-line">
          <span>{formatDay(message.timestamp)}</span>
        </div>
      )}
      {isFirstUnread && (
        <div class="unread-line">
          <span>{t('Unread from here')}</span>
        </div>
      )}
      {hasBar && <ConversationBar message={message} />}
      <div class="message-body">
        <div class="message-margin">
          {hasSender ? (
            <Avatar user={sender} opensCard={chat.users.value.has(message.sender_id) && chat.ownUserId !== undefined} />
          ) : (
            <time class="message-time message-time-quiet" dateTime={date.toISOString()}>
              {formatShortTime(date)}
            </time>
          )}
        </div>
        <div class="message-main">
          {hasSender && !isAction && (
            <div class="message-heading">
              <UserName class="message-sender" userId={message.sender_id}>
                {name}
              </UserName>
              <StatusEmoji userId={message.sender_id} />
              {marks}
            </div>
          )}
          <Boundary
            note={t('This message cannot be shown.')}
            of={message}
            fallback={() => <p class="boundary-note">{UNSHOWN}</p>}
          >
            <MessageContent message={message} mentions={mentions} name={name}>
              {isAction && marks}
            </MessageContent>
          </Boundary>
          {!hasSender && <EditedMark message={message} />}
          <Reactions message={message} />
        </div>
        <MessageTools message={message} />
      </div>
    </article>
  )
}

interface MessageContentProps {
  message: Message
  mentions: MentionContext
  /** of the sender */
  name: string
  /** follows the text of an action, which has no heading */
  children: ComponentChildren
}

/** The text of a message; its widget, or the form in which the user edits it. */
const MessageContent = ({ message, mentions, name, children }: MessageContentProps) => {
  const widget = useWidget(message)
  const isEditing = useComputed(() => openAction.value?.name === 'edit' && openAction.value.message.id === message.id)
  if (isEditing.value) return <EditForm message={message} />
  if (widget !== undefined) return <MessageWidget message={message} state={widget} />
  const html = message.match_content ?? message.content
  const files = message.match_files ?? []
  return (
    <>
      <Fold key={message.id} id={message.id} html={html}>
        <SentText
          senderId={message.sender_id}
          name={name}
          html={html}
          isAction={message.is_me_message === true}
          mentions={mentions}
        >
          {children}
        </SentText>
      </Fold>
      {files.length > 0 && <FoundFiles files={files} />}
    </>
  )
}

const UNSHOWN = t('This message cannot be shown.')

/** The place of a message of which nothing can be drawn. It uses as little of the message as it can. */
const UnshownMessage = ({ message, isSelected, canFocus }: MessageArticleProps) => (
  <article
    class={isSelected ? 'message-article message-selected' : 'message-article'}
    data-id={message.id}
    tabIndex={canFocus ? 0 : -1}
    aria-label={UNSHOWN}
  >
    <p class="boundary-note message-body">
      <span>{UNSHOWN}</span>
      <Boundary note={t('The button cannot be shown.')} of={message} fallback={() => null}>
        <DeleteButton message={message} />
      </Boundary>
    </p>
  </article>
)

const DeleteButton = ({ message }: { message: Message }) =>
  messagePermissions(useChat(), message).delete ? (
    <button type="button" class="boundary-button" onClick={() => beginAction('delete', message)}>
      {t('Delete')}
    </button>
  ) : null

const EditedMark = ({ message }: { message: Message }) => {
  if (message.last_edit_timestamp !== undefined) return <span class="message-edited">{t('edited')}</span>
  return message.last_moved_timestamp === undefined ? null : <span class="message-edited">{t('moved')}</span>
}
