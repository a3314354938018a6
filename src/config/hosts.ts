/** Maps host names to organizations: `<realm>.<BASE_DOMAIN>` is that realm, every other host name is ROOT_REALM. */
import type { Config } from './config.js'

/** Returns the string_id of the organization that a Host header selects; undefined if ROOT_REALM is unset. */
export const realmNameFromHost = (
  host: string,
  config: Pick<Config, 'BASE_DOMAIN' | 'ROOT_REALM'>,
): string | undefined => {
  const name = withoutPort(host).toLowerCase()
  const isSubdomain = name.length > config.BASE_DOMAIN.length + 1 && name.endsWith(`.${config.BASE_DOMAIN}`)
  return isSubdomain ? name.slice(0, -config.BASE_DOMAIN.length - 1) : config.ROOT_REALM
}

type Addresses = Pick<Config, 'BASE_DOMAIN' | 'ROOT_REALM' | 'PUBLIC_URL' | 'HOST' | 'PORT'>

/** Returns the address of an organization, without a slash at the end. Clients see it as `realm_url`. */
export const realmUrl = (string_id: string, config: Addresses): string => {
  const root = new URL(config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`)
  return string_id === config.ROOT_REALM
    ? root.href.replace(/\/+$/, '')
    : `${root.protocol}//${string_id}.${config.BASE_DOMAIN}${root.port === '' ? '' : `:${root.port}`}`
}

/** Returns the host name of an organization. The email addresses that clients see instead of hidden ones end in it. */
export const realmHost = (string_id: string, config: Addresses): string => new URL(realmUrl(string_id, config)).hostname

const withoutPort = (host: string): string => {
  const colon = host.lastIndexOf(':')
  return colon === -1 || host.endsWith(']') ? host : host.slice(0, colon)
}
