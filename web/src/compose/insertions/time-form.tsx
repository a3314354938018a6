/** The form for a point in time, which each reader sees in the own time zone: `<time:2026-11-27T15:00:00+01:00>`. */

import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../languages/t.js'
import { formatLocal } from '../../ui/date-time-field.js'
import { Dialog } from '../../ui/dialog.js'
import { formatFullTime, ownTimeZone } from '../../ui/times.js'
import type { InsertionProps } from './insertion-props.js'
import './insertions.css'

/** The dialog. It begins with the time that the text names, or with the next full hour. */
export const TimeForm = ({ text, onInsert, onClose }: InsertionProps) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const value = useSignal(formatLocal((readTime(text) ?? nextHour(new Date())).getTime()))
  const date = value.value === '' ? undefined : new Date(value.value)
  useLayoutEffect(() => input.current?.focus(), [])
  return (
    <Dialog title={t('Insert a time')} onClose={onClose}>
      <form
        class="insertion-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (date !== undefined) onInsert(`<time:${formatIso(date)}> `)
        }}
      >
        <div>
          <label class="field-label" for={id}>
            {t('Date and time')}
          </label>
          <input
            id={id}
            class="text-field"
            ref={input}
            type="datetime-local"
            required
            value={value.value}
            onInput={(event) => {
              value.value = event.currentTarget.value
            }}
          />
        </div>
        <p class="soft-text">
          {date === undefined
            ? t('Choose a date and a time. Each reader sees it in their own time zone.')
            : t('{time}, {timeZone}. Each reader sees it in their own time zone.', {
                time: formatFullTime(date),
                timeZone: ownTimeZone(),
              })}
        </p>
        <div class="dialog-buttons">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button type="submit" class="button button-primary">
            {t('Insert the time')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const readTime = (text: string): Date | undefined => {
  const date = new Date(/^<time:([^>]+)/.exec(text)?.[1] ?? '')
  return Number.isNaN(date.getTime()) ? undefined : date
}

const nextHour = (now: Date): Date => {
  const next = new Date(now)
  next.setHours(now.getHours() + 1, 0, 0, 0)
  return next
}

const pad = (number: number): string => String(number).padStart(2, '0')

/** ISO 8601 with the offset of the browser's time zone at that time. */
const formatIso = (date: Date): string => {
  const minutes = -date.getTimezoneOffset()
  const size = Math.abs(minutes)
  const offset = minutes === 0 ? 'Z' : `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
  return `${formatLocal(date.getTime())}:00${offset}`
}
