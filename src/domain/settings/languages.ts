/** Languages that an account or an organization may choose: the codes that clients of the protocol have texts for. */

const codes =
  'ar be bg bn ca cs cy da de el en en-gb es et eu fa fi fr gl gu he hi hu id it ja ko lt lv ml mn nb nl pl pt ' +
  'pt-br ro ru si sk sl sr sv ta th tl tr uk uz vi zh-hans zh-hant zh-tw'

const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** Codes and English names. */
export const languages: ReadonlyMap<string, string> = new Map(
  codes.split(' ').map((code) => [code, names.of(code) ?? code]),
)

/** Whether this is the name of a time zone, as clients write one: `Europe/Berlin`, `UTC`. */
export const isTimeZone = (name: string): boolean => {
  // An offset such as +01:00 is a zone to some runtimes, and to no client.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
