/**
 * Quiet hours: the times of the week at which nothing notifies a user.
 *
 * 1. They begin at one time of the chosen days, and end at another one: on the same day, or on the next one if that is
 *    not later than the begin.
 * 2. They are in the time zone of the account.
 */

/** The settings of an account that say when they are. */
export interface QuietHours {
  readonly quiet_hours_enabled: boolean
  /** minutes after midnight */
  readonly quiet_hours_start: number
  readonly quiet_hours_end: number
  /** the days on which they begin, as bits: 1 is Monday, 2 is Tuesday, … 64 is Sunday */
  readonly quiet_hours_days: number
}

const DAY_MINUTES = 1440

/** Whether they begin on a day. @param day 0 is Monday, 6 is Sunday */
export const isQuietDay = ({ quiet_hours_days }: Pick<QuietHours, 'quiet_hours_days'>, day: number): boolean =>
  (quiet_hours_days & (1 << day)) !== 0

/**
 * When the quiet hours end in which a time lies. It is undefined for a time outside of them. Where the clocks are
 * changed meanwhile, the end can be an hour off.
 * @param time UNIX seconds. @param timeZone of the IANA data; one that is not known counts as UTC
 */
export const quietUntil = (hours: QuietHours, time: number, timeZone: string): number | undefined => {
  if (!hours.quiet_hours_enabled) return undefined
  const { quiet_hours_start: start, quiet_hours_end: end } = hours
  const { day, minute } = localTime(time, timeZone)
  const isOverMidnight = end <= start
  const minuteStart = time - (time % 60)
  if (isQuietDay(hours, day) && minute >= start && (isOverMidnight || minute < end)) {
    return minuteStart + (end - minute + (isOverMidnight ? DAY_MINUTES : 0)) * 60
  }
  if (isOverMidnight && isQuietDay(hours, (day + 6) % 7) && minute < end) return minuteStart + (end - minute) * 60
  return undefined
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The day of the week and the minute of the day. */
const localTime = (time: number, timeZone: string): { day: number; minute: number } => {
  const parts = clockOf(timeZone).formatToParts(time * 1000)
  const read = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? ''
  return { day: days.indexOf(read('weekday')), minute: Number(read('hour')) * 60 + Number(read('minute')) }
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Making a clock takes longer than reading it, so there is one for each time zone. */
const clockOf = (timeZone: string): Intl.DateTimeFormat => {
  const cached = clocks.get(timeZone)
  if (cached !== undefined) return cached
  const options = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const clock = (() => {
    try {
      return new Intl.DateTimeFormat('en', { ...options, timeZone: timeZone || 'UTC' })
    } catch {
      return new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' })
    }
  })()
  clocks.set(timeZone, clock)
  return clock
}
