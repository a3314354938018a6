/** Which organization a host name means: `<realm>.<BASE_DOMAIN>`, and ROOT_REALM on every other name. */
import type { Config } from '../../config.js'

/** The string_id that a Host header asks for; undefined where no organization is served at the root. */
export const realmNameOf = (host: string, config: Pick<Config, 'BASE_DOMAIN' | 'ROOT_REALM'>): string | undefined => {
  const name = withoutPort(host).toLowerCase()
  const isBelow = name.length > config.BASE_DOMAIN.length + 1 && name.endsWith(`.${config.BASE_DOMAIN}`)
  return isBelow ? name.slice(0, -config.BASE_DOMAIN.length - 1) : config.ROOT_REALM
}

type Addresses = Pick<Config, 'BASE_DOMAIN' | 'ROOT_REALM' | 'PUBLIC_URL' | 'HOST' | 'PORT'>

/** The address that clients of an organization are told, without a slash at the end. */
export const realmUrlOf = (string_id: string, config: Addresses): string => {
  const root = new URL(config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`)
  return string_id === config.ROOT_REALM
    ? root.href.replace(/\/+$/, '')
    : `${root.protocol}//${string_id}.${config.BASE_DOMAIN}${root.port === '' ? '' : `:${root.port}`}`
}

/** The organization's host name, which stands in addresses that are made for it. */
export const realmHostOf = (string_id: string, config: Addresses): string =>
  new URL(realmUrlOf(string_id, config)).hostname

const withoutPort = (host: string): string => {
  const colon = host.lastIndexOf(':')
  return colon === -1 || host.endsWith(']') ? host : host.slice(0, colon)
}

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
