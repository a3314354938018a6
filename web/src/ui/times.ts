/**
 * Times and days as text, in the language of the page.
 *
 * Every time of the page is written here, with 12 or 24 hours as the user chose (`uses24Hours`). A component that calls
 * one of these functions is drawn again when the choice changes.
 */

import { signal } from '@preact/signals'
import { locale } from '../languages/locale.js'
import { t } from '../languages/t.js'

/** Whether times have 24 hours. A visitor has the default of the organization. */
export const uses24Hours = signal(false)

type Options = Intl.DateTimeFormatOptions

interface Clocks<T> {
  half: T
  full: T
}

/** The options for each clock, of a style that is the same for both. */
const withClocks = (style: Options): Clocks<Options> => ({
  half: { ...style, hour12: true },
  full: { ...style, hourCycle: 'h23' },
})

const prepare = ({ half, full }: Clocks<Options>): Clocks<Intl.DateTimeFormat> => ({
  half: new Intl.DateTimeFormat(locale, half),
  full: new Intl.DateTimeFormat(locale, full),
})

const shortTime: Clocks<Options> = {
  half: { hour: 'numeric', minute: '2-digit', hour12: true },
  full: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
}
const times = prepare(shortTime)
const fullTimes = prepare(withClocks({ dateStyle: 'full', timeStyle: 'short' }))
const moments = prepare(withClocks({ dateStyle: 'medium', timeStyle: 'short' }))
const dayOfThisYear = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
const dayOfAnotherYear = new Intl.DateTimeFormat(locale, { dateStyle: 'full' })
const shortDate = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })

const choose = <T>({ half, full }: Clocks<T>): T => (uses24Hours.value ? full : half)

/** `14:05`, or `2:05 PM`. */
export const formatTime = (date: Date): string => choose(times).format(date)

/** `14:05`, or `2:05` without the half of the day. */
export const formatShortTime = (date: Date): string =>
  choose(times)
    .formatToParts(date)
    .filter(({ type }) => type === 'hour' || type === 'minute' || type === 'literal')
    .map(({ value }) => value)
    .join('')
    .trim()

/** `14:05`, or `2:05 PM`, at a place. Throws RangeError when the browser does not know the time zone. */
export const formatTimeAt = (date: Date, timeZone: string): string =>
  new Intl.DateTimeFormat(locale, { ...choose(shortTime), timeZone }).format(date)

/** Day and time, written in full. */
export const formatFullTime = (date: Date): string => choose(fullTimes).format(date)

/** Day and time, written short. */
export const formatMoment = (date: Date): string => choose(moments).format(date)

/** A day, written short. */
export const formatDate = (date: Date): string => shortDate.format(date)

const longDate = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })

/** A date without a time zone, such as `2026-11-27`: it is the same day everywhere. */
export const formatCalendarDate = (date: string): string => longDate.format(new Date(`${date}T00:00:00Z`))

/** A time of any day, as `formatTime` writes it. @param minutes after midnight */
export const formatClock = (minutes: number): string =>
  formatTime(new Date(2000, 0, 1, Math.floor(minutes / 60), minutes % 60))

const weekDay = new Intl.DateTimeFormat(locale, { weekday: 'long' })

/** The names of the days of the week, from Monday on. */
export const weekDayNames = (): string[] =>
  // The third of January 2000 was a Monday.
  Array.from({ length: 7 }, (_, day) => weekDay.format(new Date(2000, 0, 3 + day)))

/** The time zone of the browser. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Whether two time zones have the same time now. True if the browser does not know one of them. */
export const hasSameTime = (one: string, other: string, now = new Date()): boolean => {
  const write = (timeZone: string) =>
    new Intl.DateTimeFormat('en', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(now)
  try {
    return write(one) === write(other)
  } catch {
    return true
  }
}

/** Returns a text that is equal for two times of the same day. The day is that in the time zone of the browser. */
export const dayKey = (timestamp: number): string => new Date(timestamp * 1000).toDateString()

/** `Today`, `Yesterday`, or the day. */
export const formatDay = (timestamp: number, now = new Date()): string => {
  const date = new Date(timestamp * 1000)
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (date.toDateString() === now.toDateString()) return t('Today')
  if (date.toDateString() === yesterday.toDateString()) return t('Yesterday')
  return (date.getFullYear() === now.getFullYear() ? dayOfThisYear : dayOfAnotherYear).format(date)
}

const thisYear = prepare({
  half: { day: 'numeric', month: 'short', ...shortTime.half },
  full: { day: 'numeric', month: 'short', ...shortTime.full },
})

/** `14:05` today, `Tomorrow, 14:05`, `Yesterday, 14:05`, or `3 Dec, 14:05`. */
export const formatNearMoment = (timestamp: number, now = new Date()): string => {
  const date = new Date(timestamp * 1000)
  const time = formatTime(date)
  const day = (shift: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + shift).toDateString()
  if (date.toDateString() === day(0)) return time
  if (date.toDateString() === day(1)) return t('Tomorrow, {time}', { time })
  if (date.toDateString() === day(-1)) return t('Yesterday, {time}', { time })
  return choose(date.getFullYear() === now.getFullYear() ? thisYear : moments).format(date)
}

/** Nine in the morning of the next day. */
export const nextMorning = (now = new Date()): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9)

const MONDAY = 1

/** Nine in the morning of the next Monday; on a Monday, that of a week later. */
export const nextMonday = (now = new Date()): Date => {
  const days = (MONDAY + 7 - now.getDay()) % 7 || 7
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 9)
}
