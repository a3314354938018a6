import { useId } from 'preact/hooks'
import { t } from '../languages/t.js'
import { formatClock } from './times.js'

interface ClockFieldProps {
  label: string
  /** minutes after midnight */
  value: number
  onChange: (minutes: number) => void
  /** follows the time: `on the next day` */
  hint?: string
}

const pad = (number: number): string => String(number).padStart(2, '0')

/** A field for a time of the day. */
export const ClockField = ({ label, value, onChange, hint = '' }: ClockFieldProps) => {
  const id = useId()
  return (
    <div class="form-field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="text-field"
        type="time"
        required
        value={`${pad(Math.floor(value / 60))}:${pad(value % 60)}`}
        aria-describedby={`${id}-time`}
        onInput={({ currentTarget: { value: written } }) => {
          const [hours, minutes] = written.split(':').map(Number)
          // While the field is incomplete, it has no value, and the browser keeps the form from being sent.
          if (hours !== undefined && minutes !== undefined) onChange(hours * 60 + minutes)
        }}
      />
      {/* Browsers write the time in the field with their own clock, which may not be the one that the user chose. */}
      <p class="field-hint" id={`${id}-time`}>
        {hint === '' ? formatClock(value) : t('{time}, {day}', { time: formatClock(value), day: hint })}
      </p>
    </div>
  )
}
