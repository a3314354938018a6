/** The dialog that asks when the user wants to be reminded of a message. */

import type { Message } from '@parley/client'
import { FailureNote } from '../../forms/action.js'
import { Form, SubmitButton, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { DateTimeField, formatLocal, parseLocal } from '../../ui/date-time-field.js'
import { Dialog } from '../../ui/dialog.js'
import { say } from '../../ui/status-line.js'
import { formatNearMoment, nextMorning } from '../../ui/times.js'
import { endAction } from './open-action.js'

/** Shows the dialog. */
export const RemindDialog = ({ message }: { message: Message }) => {
  const chat = useChat()
  const remind = async (timestamp: number) => {
    const { reminder_id } = await chat.client.call('POST /reminders', {
      message_id: message.id,
      scheduled_delivery_timestamp: timestamp,
    })
    endAction()
    say({
      text: t('You will be reminded: {time}.', { time: formatNearMoment(timestamp) }),
      action: { label: t('Undo'), run: () => chat.client.call('DELETE /reminders/{reminder_id}', { reminder_id }) },
    })
  }
  const form = useForm({
    values: { time: formatLocal(nextMorning().getTime()) },
    send: ({ time }) => remind(parseLocal(time)),
  })
  const remindAt = (timestamp: number) => form.action.run(() => remind(timestamp))
  const inHours = (hours: number) => Math.floor(Date.now() / 1000) + hours * 3_600
  return (
    <Dialog title={t('Remind me of the message')} onClose={endAction}>
      <p>{t('A direct message of the Notification Bot brings the message back to you.')}</p>
      <div class="form-buttons">
        <button type="button" class="button" onClick={() => remindAt(inHours(1))}>
          {t('In 1 hour')}
        </button>
        <button type="button" class="button" onClick={() => remindAt(inHours(3))}>
          {t('In 3 hours')}
        </button>
        <button type="button" class="button" onClick={() => remindAt(nextMorning().getTime() / 1000)}>
          {formatNearMoment(nextMorning().getTime() / 1000)}
        </button>
      </div>
      <Form of={form}>
        <DateTimeField label={t('Another time')} {...form.bind('time')} />
        <FailureNote reason={form.action.state.value.error} />
        <div class="dialog-buttons">
          <button type="button" class="button" onClick={endAction}>
            {t('Cancel')}
          </button>
          <SubmitButton of={form} label={t('Remind me')} isDisabled={false} />
        </div>
      </Form>
    </Dialog>
  )
}
