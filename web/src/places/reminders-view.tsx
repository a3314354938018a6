/** The view `#reminders`: the messages of which the user wants to be reminded. */

import type { Reminder } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { FailureNote } from '../forms/action.js'
import { errorText } from '../languages/error-text.js'
import { t } from '../languages/t.js'
import { useMentions } from '../messages/parts/mentions.js'
import { RenderedMessage } from '../messages/rendered/rendered-message.js'
import { useChat } from '../realm/chat.js'
import { Boundary } from '../ui/boundary.js'
import { Icon } from '../ui/icon.js'
import { attempt, say } from '../ui/status-line.js'
import { formatNearMoment } from '../ui/times.js'
import { EditReminder } from './edit-reminder.js'
import { EmptyPlace } from './empty-place.js'

/** The list of reminders, the next one first. */
export const RemindersView = () => {
  const chat = useChat()
  const reminders = useSignal<readonly Reminder[] | undefined>(undefined)
  const failure = useSignal('')
  useEffect(() => {
    const load = () =>
      chat.client.call('GET /reminders').then(
        (answer) => {
          reminders.value = answer.reminders
          failure.value = ''
        },
        (error: Error) => {
          failure.value = errorText(error)
        },
      )
    void load()
    // An event that arrives while the list is fetched may be in it or not, so the list is fetched again.
    return chat.realm.onEvent(({ type }) => {
      if (type === 'reminders' || type === 'reset') void load()
    })
  }, [chat])
  if (failure.value !== '') {
    return (
      <div class="place-page" tabIndex={-1}>
        <FailureNote reason={failure.value} />
      </div>
    )
  }
  if (reminders.value === undefined) return <p class="place-page soft-text">{t('Loading…')}</p>
  if (reminders.value.length === 0) {
    return (
      <EmptyPlace
        icon="clock"
        title={t('No reminders')}
        text={t('Choose “Remind me” in the menu of a message: a direct message brings it back to you at that time.')}
      />
    )
  }
  const sorted = [...reminders.value].sort(
    (one, other) => one.scheduled_delivery_timestamp - other.scheduled_delivery_timestamp,
  )
  return (
    <div class="place-page" tabIndex={-1}>
      <div class="place-content">
        <ul class="place-list">
          {sorted.map((reminder) => (
            <ReminderRow key={reminder.reminder_id} reminder={reminder} />
          ))}
        </ul>
      </div>
    </div>
  )
}

const ReminderRow = ({ reminder }: { reminder: Reminder }) => {
  const chat = useChat()
  const mentions = useMentions(chat)
  const { reminder_id, rendered_content, scheduled_delivery_timestamp, reminder_target_message_id, note } = reminder
  const isEdited = useSignal(false)
  const remove = () => {
    const restore = () =>
      chat.client.call('POST /reminders', {
        message_id: reminder_target_message_id,
        scheduled_delivery_timestamp,
        ...(note !== undefined && { note }),
      })
    return attempt(
      chat.client
        .call('DELETE /reminders/{reminder_id}', { reminder_id })
        .then(() => say({ text: t('The reminder was deleted.'), action: { label: t('Undo'), run: restore } })),
    )
  }
  return (
    <li class="place-row">
      <div class="place-main">
        <span class="place-title">{formatNearMoment(scheduled_delivery_timestamp)}</span>
        <div class="place-reminder">
          <Boundary note={t('This reminder cannot be shown.')} of={rendered_content}>
            <RenderedMessage html={rendered_content} mentions={mentions} />
          </Boundary>
        </div>
        {isEdited.value && (
          <EditReminder
            reminder={reminder}
            onClose={() => {
              isEdited.value = false
            }}
          />
        )}
      </div>
      <div class="place-buttons">
        <button
          type="button"
          class="icon-button"
          aria-label={t('Change the reminder')}
          title={t('Change the reminder')}
          aria-expanded={isEdited.value}
          onClick={() => {
            isEdited.value = !isEdited.value
          }}
        >
          <Icon name="edit" size={16} />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={t('Delete the reminder')}
          title={t('Delete the reminder')}
          onClick={remove}
        >
          <Icon name="trash" size={16} />
        </button>
      </div>
    </li>
  )
}
