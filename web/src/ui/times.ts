/** Times and days as text, in the language of the browser. */

const times = {
  half: new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit', hour12: true }),
  full: new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
}
const fullTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })
const dayOfThisYear = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const dayOfAnotherYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })

/** `14:05`, or `2:05 PM`. */
export const formatTime = (date: Date, has24Hours: boolean): string =>
  (has24Hours ? times.full : times.half).format(date)

/** `14:05`, or `2:05` without the half of the day. */
export const formatShortTime = (date: Date, has24Hours: boolean): string =>
  (has24Hours ? times.full : times.half)
    .formatToParts(date)
    .filter(({ type }) => type === 'hour' || type === 'minute' || type === 'literal')
    .map(({ value }) => value)
    .join('')
    .trim()

/** Day and time, written in full. */
export const formatFullTime = (date: Date): string => fullTime.format(date)

/** A text that is equal for two times of the same day, in the time zone of the browser. */
export const dayKey = (timestamp: number): string => new Date(timestamp * 1000).toDateString()

/** `Today`, `Yesterday`, or the day. */
export const formatDay = (timestamp: number, now = new Date()): string => {
  const date = new Date(timestamp * 1000)
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (date.toDateString() === now.toDateString()) return 'Today'
  if (date.toDateString() === yesterday.toDateString()) return 'Yesterday'
  return (date.getFullYear() === now.getFullYear() ? dayOfThisYear : dayOfAnotherYear).format(date)
}
