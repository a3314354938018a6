/** Numbers as an operator reads them. */

/** The unit of a value. */
export type Unit = 'count' | 'rate' | 'milliseconds' | 'bytes' | 'share' | 'seconds'

/** Formats a value with its unit; a value that is unknown is a dash. */
export const format = (value: number | null | undefined, unit: Unit): string => {
  if (value === null || value === undefined) return '–'
  if (unit === 'bytes') return `${formatNumber(value / 1024 / 1024)} MiB`
  if (unit === 'share') return `${formatNumber(value * 100)} %`
  if (unit === 'rate') return `${formatNumber(value)}/s`
  if (unit === 'milliseconds') return value >= 1000 ? `${formatNumber(value / 1000)} s` : `${formatNumber(value)} ms`
  if (unit === 'seconds') return value < 60 ? `${formatNumber(value)} s` : formatDuration(value)
  return formatNumber(value)
}

/** Three significant digits, and a letter for thousands and millions. */
const formatNumber = (value: number): string => {
  const size = Math.abs(value)
  if (size >= 1e7) return `${trim(value / 1e6)}M`
  if (size >= 1e5) return `${trim(value / 1e3)}k`
  return trim(value)
}

const trim = (value: number): string => {
  const size = Math.abs(value)
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2
  return Number(value.toFixed(digits)).toLocaleString('en')
}

/** A duration in its two largest units: `3 h 12 min`. */
export const formatDuration = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min`
  if (whole < 86_400) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3600)} h`
}
