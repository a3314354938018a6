/** Chooses a time that is still to come: some are offered, and a field has any other. */
import { t } from '../languages/t.js'
import { DateTimeField, formatLocal, parseLocal } from '../ui/date-time-field.js'
import { formatNearMoment, nextMonday, nextMorning } from '../ui/times.js'
import { FailureNote } from './action.js'
import { Form, SubmitButton, useForm } from './form.js'

interface LaterFormProps {
  /** the time that the field has at first, in seconds since 1970; without it, the next morning */
  time?: number
  /** what the button does that takes the time of the field */
  submitLabel: string
  /** @param time in seconds since 1970 */
  onChoose: (time: number) => Promise<unknown>
  onCancel: () => void
}

/** The form. */
export const LaterForm = ({ time, submitLabel, onChoose, onCancel }: LaterFormProps) => {
  const form = useForm({
    values: { time: formatLocal(time === undefined ? nextMorning().getTime() : time * 1000) },
    send: (values) => onChoose(parseLocal(values.time)),
  })
  return (
    <>
      <div class="form-buttons">
        {offeredTimes().map(({ label, at }) => (
          <button
            key={label}
            type="button"
            class="button"
            disabled={form.action.state.value.isBusy}
            onClick={() => form.action.run(() => onChoose(at))}
          >
            {label}
          </button>
        ))}
      </div>
      <Form of={form}>
        <DateTimeField label={t('Another time')} {...form.bind('time')} />
        <FailureNote reason={form.action.state.value.error} />
        <div class="dialog-buttons">
          <button type="button" class="button" onClick={onCancel}>
            {t('Cancel')}
          </button>
          <SubmitButton of={form} label={submitLabel} />
        </div>
      </Form>
    </>
  )
}

const HOUR = 3_600

const offeredTimes = (): { label: string; at: number }[] => {
  const now = Math.floor(Date.now() / 1000)
  const mornings = [...new Set([nextMorning().getTime(), nextMonday().getTime()])].map((time) => time / 1000)
  return [
    { label: t('In 1 hour'), at: now + HOUR },
    { label: t('In 3 hours'), at: now + 3 * HOUR },
    ...mornings.map((at) => ({ label: formatNearMoment(at), at })),
  ]
}
