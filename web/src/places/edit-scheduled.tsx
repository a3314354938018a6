/** The form that changes the text and the time of a scheduled message. */
import type { ScheduledMessage } from '@parley/client/realm'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { ActionNote, useAction } from '../forms/action.js'
import { TextField } from '../forms/fields.js'
import { useChat } from '../realm/chat.js'
import { DateTimeField, formatLocal, parseLocal } from '../ui/date-time-field.js'

interface EditScheduledProps {
  message: ScheduledMessage
  title: ComponentChildren
  onClose: () => void
}

/** Shows the form. */
export const EditScheduled = ({ message, title, onClose }: EditScheduledProps) => {
  const chat = useChat()
  const action = useAction()
  const { scheduled_message_id, scheduled_delivery_timestamp } = message
  const content = useSignal(message.content)
  const time = useSignal(formatLocal(scheduled_delivery_timestamp * 1000))
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const isSaved = await action.run(() =>
      chat.client.call('PATCH /scheduled_messages/{scheduled_message_id}', {
        scheduled_message_id,
        content: content.value,
        scheduled_delivery_timestamp: parseLocal(time.value),
      }),
    )
    if (isSaved) onClose()
  }
  return (
    <form class="place-form" onSubmit={save}>
      {title}
      <TextField
        label="Message"
        rows={4}
        isRequired
        most={chat.organization.value.max_message_length}
        value={content.value}
        onChange={(value) => {
          content.value = value
        }}
      />
      <DateTimeField
        label="Send it at"
        value={time.value}
        onChange={(value) => {
          time.value = value
        }}
      />
      <ActionNote action={action} />
      <div class="form-buttons">
        <button type="submit" class="button button-primary" disabled={action.state.value.isBusy}>
          Save
        </button>
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  )
}
