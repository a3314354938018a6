/** When a status ends by itself: what is offered, and which time that is. */
import { t } from '../languages/t.js'

/** A choice. */
export type StatusEnd = 'never' | 'half-hour' | 'hour' | 'four-hours' | 'today' | 'at'

/** The choices, in words. */
export const statusEnds: { value: StatusEnd; label: string }[] = [
  { value: 'never', label: t('When I clear it') },
  { value: 'half-hour', label: t('In 30 minutes') },
  { value: 'hour', label: t('In 1 hour') },
  { value: 'four-hours', label: t('In 4 hours') },
  { value: 'today', label: t('Today, at midnight') },
  { value: 'at', label: t('At a time that I choose') },
]

const hours: Partial<Record<StatusEnd, number>> = { 'half-hour': 0.5, hour: 1, 'four-hours': 4 }

/** The time in seconds since 1970; null: the status does not end by itself. @param at the time that was chosen */
export const endTime = (end: StatusEnd, at: number, now = new Date()): number | null => {
  if (end === 'never') return null
  if (end === 'at') return at
  if (end === 'today') return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() / 1000
  return Math.floor(now.getTime() / 1000) + (hours[end] ?? 0) * 3_600
}
