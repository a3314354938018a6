/** Host names and organizations: `<realm>.<BASE_DOMAIN>`, and ROOT_REALM on every other name. */
import type { Config } from './config.js'

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
