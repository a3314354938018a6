/** The languages that an account or an organization may choose: those that texts exist in. */
import { languages as offered, pseudoLanguage } from '#rules/languages.js'

/** Codes, and names in the language itself. No list offers the language for tests. */
export const languages: ReadonlyMap<string, string> = new Map([
  ...Object.entries(offered).map(([code, { name }]) => [code, name] as const),
  [pseudoLanguage, 'English with accents'],
])

/** Whether this is the name of a time zone. Clients write one as `Europe/Berlin` or `UTC`. */
export const isTimeZone = (name: string): boolean => {
  // Some runtimes accept an offset such as +01:00 as a zone, clients do not.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
