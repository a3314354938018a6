/** The form that changes the text and the time of a scheduled message. */

import type { ScheduledMessage } from '@parley/client/realm'
import type { ComponentChildren } from 'preact'
import { TextField } from '../forms/fields.js'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
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
  const { scheduled_message_id, scheduled_delivery_timestamp } = message
  const form = useForm({
    values: { content: message.content, time: formatLocal(scheduled_delivery_timestamp * 1000) },
    send: async ({ content, time }) => {
      await chat.client.call('PATCH /scheduled_messages/{scheduled_message_id}', {
        scheduled_message_id,
        content,
        scheduled_delivery_timestamp: parseLocal(time),
      })
      onClose()
    },
  })
  return (
    <Form of={form} class="place-form">
      {title}
      <TextField
        label={t('Message')}
        rows={4}
        isRequired
        most={chat.organization.value.max_message_length}
        {...form.bind('content')}
      />
      <DateTimeField label={t('Send it at')} {...form.bind('time')} />
      <FormEnd of={form} label={t('Save')}>
        <button type="button" class="button" onClick={onClose}>
          {t('Cancel')}
        </button>
      </FormEnd>
    </Form>
  )
}
