/** The form that changes the time and the note of a reminder. */

import type { Reminder } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import { TextField } from '../forms/fields.js'
import { bind } from '../forms/form.js'
import { LaterForm } from '../forms/later-form.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { say } from '../ui/status-line.js'
import { formatNearMoment } from '../ui/times.js'

/** Shows the form. */
export const EditReminder = ({ reminder, onClose }: { reminder: Reminder; onClose: () => void }) => {
  const chat = useChat()
  const { reminder_id, reminder_target_message_id: message_id, scheduled_delivery_timestamp } = reminder
  const note = useSignal(reminder.note ?? '')
  const change = async (time: number) => {
    // The API has no change of a reminder. The new one is made first, so that a failure loses none.
    const params = { message_id, scheduled_delivery_timestamp: time, note: note.peek().trim() }
    await chat.client.call('POST /reminders', params)
    await chat.client.call('DELETE /reminders/{reminder_id}', { reminder_id })
    say({ text: t('You will be reminded: {time}.', { time: formatNearMoment(time) }) })
  }
  return (
    <div class="place-form">
      <TextField label={t('Note')} rows={2} most={chat.organization.value.max_reminder_note_length} {...bind(note)} />
      <LaterForm time={scheduled_delivery_timestamp} submitLabel={t('Save')} onChoose={change} onCancel={onClose} />
    </div>
  )
}
