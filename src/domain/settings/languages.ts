/** Languages that an account or an organization may choose: those that clients of the protocol are translated to. */

const codes =
  'ar be bg bn ca cs cy da de el en en-gb es et eu fa fi fr gl gu he hi hu id it ja ko lt lv ml mn nb nl pl pt ' +
  'pt-br ro ru si sk sl sr sv ta th tl tr uk uz vi zh-hans zh-hant zh-tw'

const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** Codes and English names. */
export const languages: ReadonlyMap<string, string> = new Map(
  codes.split(' ').map((code) => [code, names.of(code) ?? code]),
)

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
