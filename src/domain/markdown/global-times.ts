/**
 * Points in time: `<time:2025-01-02 15:00 CET>`, shown by each client in its reader's zone.
 *
 * Accepted: ISO 8601, seconds since 1970, and dates as people write them in English. What names no zone is UTC; a
 * date without time is its midnight. We read such dates ourselves because `Date.parse` takes "nonsense 1" for a date
 * and reads in the server's zone. Source: messages.md 6.3.
 */
import { escapeText } from './escape.js'
import { type InlinePass, insertPlaceholder, STX, TextRewriter } from './placeholders.js'

const opening = '<time:'

/** `<time:…>`. */
export const renderGlobalTimes: InlinePass = (text, inline) => {
  let start = text.indexOf(opening)
  if (start === -1) return text
  const rewrite = new TextRewriter(text)
  while (start !== -1) {
    const end = text.indexOf('>', start)
    if (end === -1) break
    const typed = text.slice(start + opening.length, end)
    // as in formulas: what ranks higher stays what it is
    if (typed.includes(STX)) {
      start = text.indexOf(opening, start + 1)
      continue
    }
    rewrite.replace(start, end + 1, insertPlaceholder(inline, writeTime(typed), text.slice(start, end + 1)))
    start = text.indexOf(opening, end + 1)
  }
  return rewrite.result()
}

const writeTime = (typed: string): string => {
  const time = readTime(typed)
  return time === undefined
    ? `<span class="timestamp-error">Invalid time format: ${escapeText(typed)}</span>`
    : `<time datetime="${time}">${escapeText(typed)}</time>`
}

const MAX_LENGTH = 100

/** UTC without fraction, `2025-01-02T02:04:05Z`; undefined when it is no time. */
const readTime = (text: string): string | undefined => {
  const typed = text.trim()
  if (typed === '' || typed.length > MAX_LENGTH) return undefined
  const date = readCompact(typed) ?? readWords(typed)
  if (date === undefined || Number.isNaN(date)) return undefined
  const iso = new Date(date).toISOString()
  // years outside of 1 to 9999 have another form, and no calendar of ours
  return /^\d{4}-/.test(iso) && !iso.startsWith('0000') ? iso.replace(/\.\d+Z$/, 'Z') : undefined
}

/** Digits only: a date like 20250102, or else seconds since 1970. */
const readCompact = (text: string): number | undefined => {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return undefined
  const date = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?$/.exec(text)
  if (date !== null && (text.length === 8 || text.length >= 12)) {
    const [year, month, day, hour, minute, second] = date.slice(1).map((digits) => Number(digits ?? 0))
    return build({ year, month, day, hour, minute, second })
  }
  const seconds = Number(text)
  return text.length > 4 && Math.abs(seconds) < 8.64e12 ? seconds * 1000 : undefined
}

interface Parts {
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

/** One word or group of digits after the other; anything unknown means it is no time. */
const readWords = (text: string): number | undefined => {
  const parts: Parts = {}
  word.lastIndex = 0
  while (word.lastIndex < text.length) {
    const match = word.exec(text)
    if (match === null || !take(parts, match)) {
      word.lastIndex = 0
      return undefined
    }
  }
  return build(parts)
}

const take = (parts: Parts, m: RegExpExecArray): boolean => {
  const n = (i: number): number => Number(m[i] ?? 0)
  if (m[1] !== undefined) return set(parts, { year: n(1), month: n(2), day: n(3) })
  if (m[4] !== undefined) return set(parts, { month: n(4), day: n(5), year: n(6) })
  if (m[7] !== undefined) return set(parts, { year: n(7), month: n(8), day: n(9) })
  if (m[10] !== undefined) return set(parts, { hour: n(10), minute: n(11), second: n(12) })
  if (m[13] !== undefined) return set(parts, { zone: (m[13] === '-' ? -1 : 1) * (n(14) * 60 + n(15)) })
  if (m[16] !== undefined) return set(parts, { hour: n(16), minute: 0 })
  if (m[17] !== undefined) return takeNumber(parts, m[17])
  return takeName(parts, (m[18] ?? '').toLowerCase())
}

const takeNumber = (parts: Parts, digits: string): boolean =>
  digits.length <= 2 && parts.day === undefined
    ? set(parts, { day: Number(digits) })
    : digits.length === 4 && set(parts, { year: Number(digits) })

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthNames =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/
const dayNames =
  /^(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)$/
const fillers = new Set(['at', 'on', 'of', 'the', 'and', 't'])

/** Abbreviations that mean one thing everywhere or nearly so, in minutes east of UTC. */
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

const takeName = (parts: Parts, name: string): boolean => {
  if (monthNames.test(name)) return set(parts, { month: months.indexOf(name.slice(0, 3)) + 1 })
  if (name === 'am' || name === 'pm') return parts.hour !== undefined && set(parts, { afternoon: name === 'pm' })
  const zone = zones[name]
  if (zone !== undefined) return set(parts, { zone })
  return dayNames.test(name) || fillers.has(name)
}

/** False when something is said twice: "UTC+2" is the one exception. */
const set = (parts: Parts, more: Parts): boolean => {
  const isTwice = Object.keys(more).some((key) => parts[key as keyof Parts] !== undefined)
  if (isTwice && !(more.zone !== undefined && parts.zone === 0)) return false
  Object.assign(parts, more)
  return true
}

const build = ({
  year,
  month,
  day = 1,
  hour = 0,
  minute = 0,
  second = 0,
  afternoon,
  zone = 0,
}: Parts): number | undefined => {
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
