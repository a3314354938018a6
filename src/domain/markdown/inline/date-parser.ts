/**
 * Parses points in time: ISO 8601, seconds since 1970, and dates as they are written in English.
 *
 * A time without a zone is in UTC; a date without a time is its midnight; missing parts of a date are those of today.
 * This parser is written for Parley because `Date.parse` accepts "nonsense 1" as a date, and reads times in the zone of
 * the server. Source: protocol/messages.md 6.3; what is accepted follows the Python package dateutil.
 */

const MAX_LENGTH = 100

/**
 * Returns the point in time of a text in UTC, such as `2025-01-02T02:04:05Z`. Returns undefined if the text is not a
 * time. A fraction of a second has six digits.
 */
export const parseDate = (text: string, now: Date): string | undefined => {
  const typed = text.trim()
  if (typed === '' || typed.length > MAX_LENGTH) return undefined
  const time = toTime(parseNumber(typed, now) ?? parseWords(typed), now) ?? parseSeconds(typed)
  if (time === undefined || Math.abs(time.milliseconds) > 8.64e15) return undefined
  const iso = new Date(time.milliseconds).toISOString()
  // Years outside 1 to 9999 have another format in ISO 8601, and are refused.
  if (!/^\d{4}-/.test(iso) || iso.startsWith('0000')) return undefined
  const fraction = time.microsecond === 0 ? '' : `.${`${time.microsecond}`.padStart(6, '0')}`
  return iso.replace(/\.\d+Z$/, `${fraction}Z`)
}

/** A point in time: UNIX milliseconds of a whole second, and the microseconds after it. */
interface Time {
  milliseconds: number
  microsecond: number
}

/** Parses seconds since 1970. */
const parseSeconds = (text: string): Time | undefined => {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return undefined
  const seconds = Math.floor(Number(text))
  const microsecond = Math.round((Number(text) - seconds) * 1e6)
  return microsecond === 1e6
    ? { milliseconds: (seconds + 1) * 1000, microsecond: 0 }
    : { milliseconds: seconds * 1000, microsecond }
}

/** Parses a number alone: a date like 20250102, a day of this month, or a year. All other numbers are seconds. */
const parseNumber = (text: string, now: Date): DateParts | undefined => {
  const date = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?$/.exec(text)
  if (date !== null && (text.length === 8 || text.length >= 12)) {
    const [year, month, day, hour, minute, second] = date.slice(1).map((digits) => Number(digits ?? 0))
    return { year, month, day, hour, minute, second }
  }
  const [, digits] = /^-?(\d{1,4})$/.exec(text) ?? []
  if (digits === undefined) return undefined
  const number = Number(digits)
  if (number > 31) return { year: number > 99 ? number : completeYear(number, now) }
  return number > 0 ? { day: number } : undefined
}

/** Returns the year with these last two digits that is less than 50 years after now. */
const completeYear = (year: number, now: Date): number => {
  const completed = Math.floor(now.getUTCFullYear() / 100) * 100 + year
  return completed >= now.getUTCFullYear() + 50 ? completed - 100 : completed
}

interface DateParts {
  year?: number
  month?: number
  day?: number
  hour?: number
  minute?: number
  second?: number
  microsecond?: number
  /** 0 is Sunday */
  weekday?: number
  afternoon?: boolean
  /** minutes east of UTC */
  zone?: number
}

const word =
  /\s*(?:(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?)?(?=$|[\s,Zz+-])|(\d{4})-(\d\d?)-(\d\d?)(?=$|[\sT,Zz+-])|(\d\d?)[/.](\d\d?)[/.](\d{4})|(\d{4})[/.](\d\d?)[/.](\d\d?)|T?(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?|([+-])(\d\d):?(\d\d)?|(\d\d?)(?=\s?[ap]m\b)|(\d+)(?:st|nd|rd|th)?(?![\w:])|([a-z]+)\.?)[\s,]*/iy

/** Parses words and groups of digits one after another. Returns undefined if a word is unknown. */
const parseWords = (text: string): DateParts | undefined => {
  const parts: DateParts = {}
  word.lastIndex = 0
  while (word.lastIndex < text.length) {
    const match = word.exec(text)
    if (match === null || !addMatch(parts, match)) {
      word.lastIndex = 0
      return undefined
    }
  }
  return parts
}

const addMatch = (parts: DateParts, m: RegExpExecArray): boolean => {
  const n = (i: number): number => Number(m[i] ?? 0)
  if (m[1] !== undefined) {
    const date = addParts(parts, { year: n(1), month: n(2), day: n(3) })
    return date && (m[4] === undefined || addParts(parts, { hour: n(4), minute: n(5), second: n(6) }))
  }
  if (m[7] !== undefined) return addParts(parts, { year: n(7), month: n(8), day: n(9) })
  if (m[10] !== undefined) return addParts(parts, { month: n(10), day: n(11), year: n(12) })
  if (m[13] !== undefined) return addParts(parts, { year: n(13), month: n(14), day: n(15) })
  if (m[16] !== undefined) {
    const microsecond = Number((m[19] ?? '').slice(0, 6).padEnd(6, '0'))
    return addParts(parts, { hour: n(16), minute: n(17), second: n(18), microsecond })
  }
  if (m[20] !== undefined) return addParts(parts, { zone: (m[20] === '-' ? -1 : 1) * (n(21) * 60 + n(22)) })
  if (m[23] !== undefined) return addParts(parts, { hour: n(23), minute: 0 })
  if (m[24] !== undefined) return addNumber(parts, m[24])
  return addName(parts, (m[25] ?? '').toLowerCase())
}

const addNumber = (parts: DateParts, digits: string): boolean =>
  digits.length <= 2 && parts.day === undefined
    ? addParts(parts, { day: Number(digits) })
    : digits.length === 4 && addParts(parts, { year: Number(digits) })

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const monthNames =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/
const dayNames =
  /^(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)$/
const fillers = new Set(['at', 'on', 'of', 'the', 'and', 't'])

/** Abbreviations of time zones with one meaning (almost) everywhere, in minutes east of UTC. */
const zones: Readonly<Record<string, number>> = {
  z: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  bst: 60,
  cet: 60,
  west: 60,
  cest: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  ist: 330,
  jst: 540,
  kst: 540,
  aest: 600,
  aedt: 660,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
}

const addName = (parts: DateParts, name: string): boolean => {
  if (monthNames.test(name)) return addParts(parts, { month: months.indexOf(name.slice(0, 3)) + 1 })
  if (name === 'am' || name === 'pm') return parts.hour !== undefined && addParts(parts, { afternoon: name === 'pm' })
  const zone = zones[name]
  if (zone !== undefined) return addParts(parts, { zone })
  if (dayNames.test(name)) return addParts(parts, { weekday: days.indexOf(name.slice(0, 3)) })
  return fillers.has(name)
}

/** Adds parts of a date. Returns false if a part is given twice; only a zone can be, as in "UTC+2". */
const addParts = (parts: DateParts, more: DateParts): boolean => {
  const isTwice = Object.keys(more).some((key) => parts[key as keyof DateParts] !== undefined)
  if (isTwice && !(more.zone !== undefined && parts.zone === 0)) return false
  Object.assign(parts, more)
  return true
}

/** Completes the parts with those of today. Returns undefined if they are no point in time. */
const toTime = (parts: DateParts | undefined, now: Date): Time | undefined => {
  if (parts === undefined || Object.keys(parts).length === 0) return undefined
  const { hour = 0, minute = 0, second = 0, microsecond = 0, weekday, afternoon, zone } = parts
  const year = parts.year ?? now.getUTCFullYear()
  const month = parts.month ?? now.getUTCMonth() + 1
  const day = parts.day ?? Math.min(now.getUTCDate(), lastDay(year, month))
  if (month < 1 || month > 12 || day < 1 || day > lastDay(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  if (afternoon !== undefined && (hour < 1 || hour > 12)) return undefined
  if (zone !== undefined && (parts.hour === undefined || Math.abs(zone) >= 1440)) return undefined
  const hours = afternoon === undefined ? hour : (hour % 12) + (afternoon ? 12 : 0)
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  // A day of the week without a date is the next one, or today.
  if (weekday !== undefined && parts.day === undefined) date.setUTCDate(day + ((weekday - date.getUTCDay() + 7) % 7))
  return { milliseconds: date.setUTCHours(hours, minute - (zone ?? 0), second, 0), microsecond }
}

/** Returns the number of days of a month. */
const lastDay = (year: number, month: number): number => {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 0)
  return date.getUTCDate()
}
