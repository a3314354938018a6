/** The dialog that asks when the user wants to be reminded of a message. */
import type { Message } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useChat } from '../../realm/chat.js'
import { DateTimeField, formatLocal, parseLocal } from '../../ui/date-time-field.js'
import { Dialog } from '../../ui/dialog.js'
import { say } from '../../ui/status-line.js'
import { formatNearMoment, nextMorning } from '../../ui/times.js'
import { endAction } from './open-action.js'

/** Shows the dialog. */
export const RemindDialog = ({ message }: { message: Message }) => {
  const chat = useChat()
  const time = useSignal(formatLocal(nextMorning().getTime()))
  const failure = useSignal('')
  const remind = async (timestamp: number) => {
    try {
      const { reminder_id } = await chat.client.call('POST /reminders', {
        message_id: message.id,
        scheduled_delivery_timestamp: timestamp,
      })
      endAction()
      say({
        text: `You will be reminded: ${formatNearMoment(timestamp)}.`,
        action: { label: 'Undo', run: () => chat.client.call('DELETE /reminders/{reminder_id}', { reminder_id }) },
      })
    } catch (error) {
      failure.value = (error as Error).message
    }
  }
  const inHours = (hours: number) => Math.floor(Date.now() / 1000) + hours * 3_600
  return (
    <Dialog title="Remind me of the message" onClose={endAction}>
      <p>A direct message of the Notification Bot brings the message back to you.</p>
      <div class="form-buttons">
        <button type="button" class="button" onClick={() => remind(inHours(1))}>
          In 1 hour
        </button>
        <button type="button" class="button" onClick={() => remind(inHours(3))}>
          In 3 hours
        </button>
        <button type="button" class="button" onClick={() => remind(nextMorning().getTime() / 1000)}>
          {formatNearMoment(nextMorning().getTime() / 1000)}
        </button>
      </div>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault()
          void remind(parseLocal(time.value))
        }}
      >
        <DateTimeField
          label="Another time"
          value={time.value}
          onChange={(value) => {
            time.value = value
          }}
        />
        {failure.value !== '' && (
          <p class="error-note" role="alert">
            {failure.value}
          </p>
        )}
        <div class="dialog-buttons">
          <button type="button" class="button" onClick={endAction}>
            Cancel
          </button>
          <button type="submit" class="button button-primary">
            Remind me
          </button>
        </div>
      </form>
    </Dialog>
  )
}
