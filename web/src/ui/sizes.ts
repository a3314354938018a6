import { locale } from '../languages/locale.js'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

const STEP = 1024

/** The size of a file in words: `3.4 MB`. A kilobyte has 1,024 bytes, as in the limits of the server. */
export const formatSize = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(STEP)))
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[power] as string,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  })
  return format.format(bytes / STEP ** power)
}
