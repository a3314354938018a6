import { useId } from 'preact/hooks'
import { t } from '../languages/t.js'
import { formatFullTime } from './times.js'

interface DateTimeFieldProps {
  label: string
  /** as the field writes it: `2026-11-27T14:05`, in the time zone of the browser */
  value: string
  onChange: (value: string) => void
}

/** A field for a day and a time that are still to come. */
export const DateTimeField = ({ label, value, onChange }: DateTimeFieldProps) => {
  const id = useId()
  const date = new Date(value)
  return (
    <div class="form-field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="text-field"
        type="datetime-local"
        required
        min={formatLocal(Date.now() + 60_000)}
        value={value}
        aria-describedby={`${id}-time`}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {/* Browsers write the time in the field with their own clock, which may not be the one that the user chose. */}
      <p class="field-hint" id={`${id}-time`}>
        {Number.isNaN(date.getTime()) ? t('Choose a day and a time.') : formatFullTime(date)}
      </p>
    </div>
  )
}

/** A time as `DateTimeField` has it. @param time in milliseconds */
export const formatLocal = (time: number): string => {
  const date = new Date(time)
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The time that `DateTimeField` has, in seconds since 1970. */
export const parseLocal = (value: string): number => Math.floor(new Date(value).getTime() / 1000)
