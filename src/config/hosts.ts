/** Maps host names to organizations: `<realm>.<BASE_DOMAIN>` is that realm, every other host name is ROOT_REALM. */
import { isIP } from 'node:net'
import type { Config } from './config.js'

/** Returns the string_id of the organization that a Host header selects. Returns undefined if ROOT_REALM is unset. */
export const realmNameFromHost = (
  host: string,
  config: Pick<Config, 'BASE_DOMAIN' | 'ROOT_REALM'>,
): string | undefined => {
  let names = realmNames.get(config)
  if (names === undefined || names.size >= MAX_CACHED_HOSTS) {
    names = new Map()
    realmNames.set(config, names)
  }
  const cached = names.get(host)
  if (cached !== undefined) return cached
  const name = findRealmName(host, config)
  if (name !== undefined) names.set(host, name)
  return name
}

const MAX_CACHED_HOSTS = 10_000
/** The names that were found: each call needs one, and a copy in lower case costs more than a look-up. */
const realmNames = new WeakMap<Pick<Config, 'BASE_DOMAIN' | 'ROOT_REALM'>, Map<string, string>>()

const findRealmName = (
  host: string,
  { BASE_DOMAIN, ROOT_REALM }: Pick<Config, 'BASE_DOMAIN' | 'ROOT_REALM'>,
): string | undefined => {
  const name = withoutPort(host).toLowerCase()
  const isSubdomain = name.length > BASE_DOMAIN.length + 1 && name.endsWith(`.${BASE_DOMAIN}`)
  return isSubdomain ? name.slice(0, -BASE_DOMAIN.length - 1) : ROOT_REALM
}

/**
 * Whether a Host header names this server by its address. Such a header can only come from a user who was given the
 * address. Any other name may belong to a page whose owner points it at this machine (DNS rebinding), so that a browser
 * takes the server for a part of the page.
 */
export const isOwnHost = (
  host: string,
  { BASE_DOMAIN, PUBLIC_URL }: Pick<Config, 'BASE_DOMAIN' | 'PUBLIC_URL'>,
): boolean => {
  const name = withoutPort(host).toLowerCase()
  const own = [BASE_DOMAIN, 'localhost', ...(PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).hostname])]
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0 || own.some((one) => name === one || name.endsWith(`.${one}`))
}

type Addresses = Pick<Config, 'BASE_DOMAIN' | 'ROOT_REALM' | 'PUBLIC_URL' | 'HOST' | 'PORT'>

/** Parsed addresses: each send needs one, and parsing takes as long as rendering a short message. */
const roots = new WeakMap<Addresses, URL>()

const rootUrl = (config: Addresses): URL => {
  const cached = roots.get(config)
  if (cached !== undefined) return cached
  const root = new URL(config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`)
  roots.set(config, root)
  return root
}

/** Returns the address of an organization, without a slash at the end. Clients see it as `realm_url`. */
export const realmUrl = (string_id: string, config: Addresses): string => {
  const root = rootUrl(config)
  return string_id === config.ROOT_REALM
    ? root.href.replace(/\/+$/, '')
    : `${root.protocol}//${string_id}.${config.BASE_DOMAIN}${root.port === '' ? '' : `:${root.port}`}`
}

/** Whether an address leads to an organization, with the port of clients. */
export const isRealmAddress = (url: string, config: Addresses): boolean => {
  if (!URL.canParse(url)) return false
  const { hostname, port } = new URL(url)
  const root = rootUrl(config)
  const isOwnName =
    hostname === root.hostname || hostname === config.BASE_DOMAIN || hostname.endsWith(`.${config.BASE_DOMAIN}`)
  return isOwnName && port === root.port
}

/** Returns the host name of an organization. The email addresses that clients see instead of hidden ones end in it. */
export const realmHost = (string_id: string, config: Addresses): string => new URL(realmUrl(string_id, config)).hostname

const withoutPort = (host: string): string => {
  const colon = host.lastIndexOf(':')
  return colon === -1 || host.endsWith(']') ? host : host.slice(0, colon)
}
