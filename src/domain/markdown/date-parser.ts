/**
 * Parses points in time: ISO 8601, seconds since 1970, and dates as they are written in English.
 *
 * A time without a zone is in UTC; a date without a time is its midnight. This parser is written for Parley because
 * `Date.parse` accepts "nonsense 1" as a date, and reads times in the server's zone. Source: messages.md 6.3.
 */

const MAX_LENGTH = 100

/** Returns a point in time in UTC without fraction, `2025-01-02T02:04:05Z`; undefined: the text is not a time. */
export const parseDate = (text: string): string | undefined => {
  const typed = text.trim()
  if (typed === '' || typed.length > MAX_LENGTH) return undefined
  const date = parseDigits(typed) ?? parseWords(typed)
  if (date === undefined || Number.isNaN(date)) return undefined
  const iso = new Date(date).toISOString()
  // Years outside 1 to 9999 have another format in ISO 8601, and are refused.
  return /^\d{4}-/.test(iso) && !iso.startsWith('0000') ? iso.replace(/\.\d+Z$/, 'Z') : undefined
}

/** Parses digits: a date like 20250102, or else seconds since 1970. Returns UNIX milliseconds. */
const parseDigits = (text: string): number | undefined => {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return undefined
  const date = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?$/.exec(text)
  if (date !== null && (text.length === 8 || text.length >= 12)) {
    const [year, month, day, hour, minute, second] = date.slice(1).map((digits) => Number(digits ?? 0))
    return toMilliseconds({ year, month, day, hour, minute, second })
  }
  const seconds = Number(text)
  return text.length > 4 && Math.abs(seconds) < 8.64e12 ? seconds * 1000 : undefined
}

interface DateParts {
  year?: number
  month?: number
  day?: number
  hour?: number
  minute?: number
  second?: number
  afternoon?: boolean
  /** minutes east of UTC */
  zone?: number
}

const word =
  /\s*(?:(\d{4})-(\d\d?)-(\d\d?)(?=$|[\sT,Zz+-])|(\d\d?)[/.](\d\d?)[/.](\d{4})|(\d{4})[/.](\d\d?)[/.](\d\d?)|T?(\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?|([+-])(\d\d):?(\d\d)?|(\d\d?)(?=\s?[ap]m\b)|(\d+)(?:st|nd|rd|th)?(?![\w:])|([a-z]+)\.?)[\s,]*/iy

/** Parses words and groups of digits one after another. Returns UNIX milliseconds; undefined: a word is unknown. */
const parseWords = (text: string): number | undefined => {
  const parts: DateParts = {}
  word.lastIndex = 0
  while (word.lastIndex < text.length) {
    const match = word.exec(text)
    if (match === null || !addMatch(parts, match)) {
      word.lastIndex = 0
      return undefined
    }
  }
  return toMilliseconds(parts)
}

const addMatch = (parts: DateParts, m: RegExpExecArray): boolean => {
  const n = (i: number): number => Number(m[i] ?? 0)
  if (m[1] !== undefined) return addParts(parts, { year: n(1), month: n(2), day: n(3) })
  if (m[4] !== undefined) return addParts(parts, { month: n(4), day: n(5), year: n(6) })
  if (m[7] !== undefined) return addParts(parts, { year: n(7), month: n(8), day: n(9) })
  if (m[10] !== undefined) return addParts(parts, { hour: n(10), minute: n(11), second: n(12) })
  if (m[13] !== undefined) return addParts(parts, { zone: (m[13] === '-' ? -1 : 1) * (n(14) * 60 + n(15)) })
  if (m[16] !== undefined) return addParts(parts, { hour: n(16), minute: 0 })
  if (m[17] !== undefined) return addNumber(parts, m[17])
  return addName(parts, (m[18] ?? '').toLowerCase())
}

const addNumber = (parts: DateParts, digits: string): boolean =>
  digits.length <= 2 && parts.day === undefined
    ? addParts(parts, { day: Number(digits) })
    : digits.length === 4 && addParts(parts, { year: Number(digits) })

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
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
  return dayNames.test(name) || fillers.has(name)
}

/** Adds parts of a date. Returns false if a part is given twice; only a zone can be, as in "UTC+2". */
const addParts = (parts: DateParts, more: DateParts): boolean => {
  const isTwice = Object.keys(more).some((key) => parts[key as keyof DateParts] !== undefined)
  if (isTwice && !(more.zone !== undefined && parts.zone === 0)) return false
  Object.assign(parts, more)
  return true
}

const toMilliseconds = ({
  year,
  month,
  day = 1,
  hour = 0,
  minute = 0,
  second = 0,
  afternoon,
  zone = 0,
}: DateParts): number | undefined => {
  if (year === undefined || month === undefined) return undefined
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59 || Math.abs(zone) >= 1440)
    return undefined
  if (afternoon !== undefined && (hour < 1 || hour > 12)) return undefined
  const hours = afternoon === undefined ? hour : (hour % 12) + (afternoon ? 12 : 0)
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1) return undefined
  return date.setUTCHours(hours, minute - zone, second, 0)
}
