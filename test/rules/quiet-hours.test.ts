/** Quiet hours: when they are, by the settings and the time zone of an account. */
import { expect, test } from 'vitest'
import { type QuietHours, quietUntil } from '../../rules/src/quiet-hours.js'

const hours = (start: string, end: string, days = 127): QuietHours => ({
  quiet_hours_enabled: true,
  quiet_hours_start: minutes(start),
  quiet_hours_end: minutes(end),
  quiet_hours_days: days,
})
const minutes = (clock: string): number => {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return hour * 60 + minute
}

/** 2 November 2026 is a Monday. @param day of November 2026 */
const at = (day: number, clock: string): number => Date.parse(`2026-11-0${day}T${clock}:00Z`) / 1000
const end = (given: QuietHours, time: number, zone = 'UTC'): string | undefined => {
  const until = quietUntil(given, time, zone)
  return until === undefined ? undefined : new Date(until * 1000).toISOString().slice(8, 16)
}

const monday = 1
const sunday = 64

test('Quiet hours of a day include their first minute, and not their end.', () => {
  const lunch = hours('12:00', '13:30')
  expect(end(lunch, at(2, '11:59'))).toBeUndefined()
  expect(end(lunch, at(2, '12:00'))).toBe('02T13:30')
  expect(end(lunch, at(2, '13:29') + 59)).toBe('02T13:30')
  expect(end(lunch, at(2, '13:30'))).toBeUndefined()
})

test('Quiet hours that end before they begin go on until the next day.', () => {
  const night = hours('22:00', '07:00')
  expect(end(night, at(2, '21:59'))).toBeUndefined()
  expect(end(night, at(2, '22:00'))).toBe('03T07:00')
  expect(end(night, at(3, '06:59'))).toBe('03T07:00')
  expect(end(night, at(3, '07:00'))).toBeUndefined()
  expect(end(hours('08:00', '08:00'), at(2, '20:00'))).toBe('03T08:00')
})

test('They begin on the chosen days only.', () => {
  const night = hours('22:00', '07:00', monday)
  expect(end(night, at(2, '06:00'))).toBeUndefined()
  expect(end(night, at(2, '23:00'))).toBe('03T07:00')
  expect(end(night, at(3, '06:00'))).toBe('03T07:00')
  expect(end(night, at(3, '23:00'))).toBeUndefined()
  expect(end(hours('22:00', '07:00', sunday), at(2, '06:00'))).toBe('02T07:00')
  expect(end(hours('22:00', '07:00', 0), at(2, '23:00'))).toBeUndefined()
  expect(end({ ...night, quiet_hours_enabled: false }, at(2, '23:00'))).toBeUndefined()
})

test('They are in the time zone of the account; an unknown one counts as UTC.', () => {
  const night = hours('22:00', '07:00', monday)
  // 20:30 UTC is 02:00 of Tuesday in Kolkata.
  expect(end(night, at(2, '20:30'), 'Asia/Kolkata')).toBe('03T01:30')
  expect(end(night, at(2, '20:30'), 'America/New_York')).toBeUndefined()
  for (const zone of ['', 'Mars/Olympus']) expect(end(night, at(2, '22:00'), zone)).toBe('03T07:00')
})
