/** Finds the name of the client program that makes a request. */

/**
 * Returns the name of a client program. The name is the parameter `client`, else the first product of the User-Agent
 * header, for example `ZulipPython` of `ZulipPython/0.9.1 (Linux)`. At most MAX_NAME_LENGTH characters.
 */
export const parseClientName = (clientParameter: unknown, userAgent: string): string =>
  typeof clientParameter === 'string' && /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(clientParameter)
    ? clientParameter.slice(0, MAX_NAME_LENGTH)
    : parseUserAgent(userAgent)

const MAX_NAME_LENGTH = 30
const MAX_CACHED_NAMES = 1_000
const namesByUserAgent = new Map<string, string>()

const parseUserAgent = (userAgent: string): string => {
  const cached = namesByUserAgent.get(userAgent)
  if (cached !== undefined) return cached
  const name = /^[^\s/(]+/.exec(userAgent)?.[0].slice(0, MAX_NAME_LENGTH) ?? 'Unspecified'
  if (namesByUserAgent.size >= MAX_CACHED_NAMES) namesByUserAgent.clear()
  namesByUserAgent.set(userAgent, name)
  return name
}
