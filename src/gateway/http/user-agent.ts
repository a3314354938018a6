/** What the program is called that calls. */

/** The calling program's name: what it says itself, else `ZulipPython` of the User-Agent `ZulipPython/0.9.1 (Linux)`. */
export const clientNameOf = (said: unknown, userAgent: string): string =>
  typeof said === 'string' && /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(said)
    ? said.slice(0, LONGEST_NAME)
    : agentName(userAgent)

const LONGEST_NAME = 30
const MOST_NAMES = 1_000
const names = new Map<string, string>()

const agentName = (userAgent: string): string => {
  const known = names.get(userAgent)
  if (known !== undefined) return known
  const name = /^[^\s/(]+/.exec(userAgent)?.[0].slice(0, LONGEST_NAME) ?? 'Unspecified'
  if (names.size >= MOST_NAMES) names.clear()
  names.set(userAgent, name)
  return name
}
