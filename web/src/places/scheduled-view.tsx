/** The view `#scheduled`: the messages that the server sends later. */

import type { ScheduledMessage } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { completeTarget, type Target } from '../compose/compose-target.js'
import { outboxOf } from '../compose/outbox.js'
import { readableText } from '../emoji/readable-text.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { open } from '../routing/location.js'
import { conversationView } from '../routing/views.js'
import { Icon } from '../ui/icon.js'
import { attempt, say } from '../ui/status-line.js'
import { formatNearMoment } from '../ui/times.js'
import { EditScheduled } from './edit-scheduled.js'
import { EmptyPlace } from './empty-place.js'
import { TargetTitle } from './target-title.js'

/** The list of scheduled messages, the next one first. */
export const ScheduledView = () => {
  const messages = [...useChat().scheduledMessages.value.values()].sort(
    (one, other) => one.scheduled_delivery_timestamp - other.scheduled_delivery_timestamp,
  )
  if (messages.length === 0) {
    return (
      <EmptyPlace
        icon="clock"
        title={t('No scheduled messages')}
        text={t('Messages that you schedule for later wait here until they are sent.')}
      />
    )
  }
  return (
    <div class="place-page" tabIndex={-1}>
      <div class="place-content">
        <ul class="place-list">
          {messages.map((message) => (
            <ScheduledRow key={message.scheduled_message_id} message={message} />
          ))}
        </ul>
      </div>
    </div>
  )
}

const targetOf = ({ to, topic = '' }: ScheduledMessage): Target =>
  typeof to === 'number' ? { kind: 'topic', channelId: to, topic } : { kind: 'direct', userIds: to }

const ScheduledRow = ({ message }: { message: ScheduledMessage }) => {
  const chat = useChat()
  const isEdited = useSignal(false)
  const isBusy = useSignal(false)
  const { scheduled_message_id, content, scheduled_delivery_timestamp: time, failed } = message
  const target = targetOf(message)
  const cancel = () => chat.client.call('DELETE /scheduled_messages/{scheduled_message_id}', { scheduled_message_id })

  const sendNow = async () => {
    const conversation = completeTarget(target)
    if (conversation === undefined || isBusy.value) return
    isBusy.value = true
    await attempt(
      // It is cancelled first: so it is never sent twice. From then on it is an unsent message, which is not lost.
      cancel().then(() => {
        outboxOf(chat).send(conversation, content)
        open(conversationView(conversation))
      }),
    )
    isBusy.value = false
  }
  const remove = () => {
    const restore = () =>
      chat.client.call('POST /scheduled_messages', {
        type: message.type,
        to: message.to,
        content,
        ...(message.topic !== undefined && { topic: message.topic }),
        scheduled_delivery_timestamp: time,
      })
    return attempt(
      cancel().then(() =>
        say({ text: t('The message will not be sent.'), action: { label: t('Undo'), run: restore } }),
      ),
    )
  }
  if (isEdited.value) {
    return (
      <li class="place-row">
        <EditScheduled
          message={message}
          title={<TargetTitle target={target} />}
          onClose={() => {
            isEdited.value = false
          }}
        />
      </li>
    )
  }
  const moment = formatNearMoment(time)
  return (
    <li class="place-row">
      <div class="place-main">
        <TargetTitle target={target} />
        <span class="place-text" dir="auto">
          {readableText(chat, content)}
        </span>
        <span class={failed ? 'place-time place-failed' : 'place-time'}>
          {failed
            ? t('Not sent at {time}. Send it now, or choose another time.', { time: moment })
            : t('To be sent: {time}', { time: moment })}
        </span>
      </div>
      <div class="place-buttons">
        <button
          type="button"
          class="icon-button"
          aria-label={t('Send it now')}
          title={t('Send it now')}
          onClick={sendNow}
        >
          <Icon name="send" size={16} />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={t('Edit the message')}
          title={t('Edit the message')}
          onClick={() => {
            isEdited.value = true
          }}
        >
          <Icon name="edit" size={16} />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={t('Delete the message')}
          title={t('Delete the message')}
          onClick={remove}
        >
          <Icon name="trash" size={16} />
        </button>
      </div>
    </li>
  )
}
