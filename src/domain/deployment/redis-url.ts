/**
 * The forms of REDIS_URL: one server, a Redis Cluster, or servers behind Redis Sentinel.
 *
 *   redis://[user[:password]@]host[:port][/database][?option=value&…]
 *   redis+cluster://[user[:password]@]host[:port][,host[:port]…][?…]
 *   redis+sentinel://[user[:password]@]host[:port][,host[:port]…]/master[/database][?…]
 *
 * With `rediss` instead of `redis`, all connections use TLS. The schemes and the names of the options are those of
 * redis-py and of the programs that follow it.
 */

import { findUnencodedLogin, HOW_TO_ENCODE_PASSWORDS as HOW_TO_ENCODE } from '../net/url-passwords.js'

export interface RedisHost {
  host: string
  port: number
}

export interface RedisTls {
  /** files in PEM format */
  ca?: string | undefined
  cert?: string | undefined
  key?: string | undefined
  /** whether the certificate of a server must have its name */
  isNameChecked: boolean
}

/** Where Redis is. */
export interface RedisServers {
  kind: 'single' | 'cluster' | 'sentinel'
  /** the server; nodes of the cluster, which name the others; or the Sentinels */
  hosts: readonly RedisHost[]
  username: string | undefined
  password: string | undefined
  database: number
  /** 4 or 6: the only version of IP that is used */
  family: 4 | 6 | undefined
  /** undefined: no connection uses TLS */
  tls: RedisTls | undefined
  /** the name under which the Sentinels know the master, and how clients log in at the Sentinels */
  sentinel: { master: string; username: string | undefined; password: string | undefined } | undefined
}

const REDIS_PORT = 6379
const SENTINEL_PORT = 26379
const OPTIONS = [
  'family',
  'sentinel_username',
  'sentinel_password',
  'ssl_ca_certs',
  'ssl_certfile',
  'ssl_keyfile',
  'ssl_check_hostname',
]
const SCHEMES = 'redis://, rediss://, redis+cluster://, rediss+cluster://, redis+sentinel:// or rediss+sentinel://'

/**
 * Reads a REDIS_URL. Throws an Error whose message says what is wrong, and repeats no part of the URL: it may be the
 * password.
 */
export const parseRedisUrl = (url: string): RedisServers => {
  const unencoded = findUnencodedLogin(url)
  if (unencoded !== undefined) throw new Error(unencoded)
  const parts = /^redis(s?)(?:\+(cluster|sentinel))?:\/\/(?:([^/?#]*)@)?([^/?#@]*)([^?#]*)(?:\?([^#]*))?$/i.exec(url)
  if (parts === null) throw new Error(`must begin with ${SCHEMES}, and name a host`)
  const [, secure = '', scheme = '', login, hostList = '', path = '', query = ''] = parts
  const kind = (scheme.toLowerCase() || 'single') as RedisServers['kind']
  const options = readOptions(query, kind, secure !== '')
  const hosts = hostList.split(',').map((text) => readHost(text, kind === 'sentinel' ? SENTINEL_PORT : REDIS_PORT))
  if (kind === 'single' && hosts.length > 1) {
    throw new Error('names several hosts: write redis+cluster:// for a cluster, or redis+sentinel:// for Sentinels')
  }
  const names = path.split('/').slice(1).map(decode)
  const master = kind === 'sentinel' ? names.shift() : undefined
  if (kind === 'sentinel' && !master) {
    throw new Error('needs the name of the master after the Sentinels: redis+sentinel://host1,host2,host3/mymaster')
  }
  const colon = login?.indexOf(':') ?? -1
  const username = colon === -1 ? login : login?.slice(0, colon)
  return {
    kind,
    hosts,
    username: username ? decode(username) : undefined,
    password: colon === -1 ? undefined : decode(login?.slice(colon + 1) ?? '') || undefined,
    database: readDatabase(names, kind),
    family: readFamily(options.get('family')),
    tls:
      secure === ''
        ? undefined
        : {
            ca: options.get('ssl_ca_certs'),
            cert: options.get('ssl_certfile'),
            key: options.get('ssl_keyfile'),
            isNameChecked: readSwitch('ssl_check_hostname', options.get('ssl_check_hostname')),
          },
    sentinel:
      master === undefined
        ? undefined
        : { master, username: options.get('sentinel_username'), password: options.get('sentinel_password') },
  }
}

const readOptions = (query: string, kind: RedisServers['kind'], isSecure: boolean): Map<string, string> => {
  const options = new Map(new URLSearchParams(query))
  for (const name of options.keys()) {
    if (!OPTIONS.includes(name)) throw new Error(`has an unknown option; there are ${OPTIONS.join(', ')}`)
    if (name.startsWith('sentinel_') && kind !== 'sentinel') throw new Error(`has ${name} without redis+sentinel://`)
    if (name.startsWith('ssl_') && !isSecure) throw new Error(`has ${name} without TLS: begin with rediss`)
  }
  if (options.has('ssl_certfile') !== options.has('ssl_keyfile')) {
    throw new Error('must have ssl_certfile and ssl_keyfile together')
  }
  return options
}

const readHost = (text: string, standardPort: number): RedisHost => {
  const [, bracketed, name, digits] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]]+))(?::(\d+))?$/i.exec(text) ?? []
  const host = bracketed ?? name
  const port = digits === undefined ? standardPort : Number(digits)
  if (host === undefined || port < 1 || port > 65_535) {
    throw new Error(`must name hosts as host or host:port, separated by commas. ${HOW_TO_ENCODE}`)
  }
  return { host: decode(host), port }
}

const readDatabase = (names: readonly string[], kind: RedisServers['kind']): number => {
  const [text = '', ...more] = names
  if (!/^\d*$/.test(text) || more.some((name) => name !== '')) {
    throw new Error(`has something else where the number of a database is expected. ${HOW_TO_ENCODE}`)
  }
  const database = Number(text)
  if (kind === 'cluster' && database !== 0) throw new Error('names a database: a Redis Cluster has only database 0')
  return database
}

const readFamily = (text: string | undefined): 4 | 6 | undefined => {
  if (text === undefined || text === '0') return undefined
  if (text === '4' || text === '6') return text === '4' ? 4 : 6
  throw new Error('must have 4 or 6 as family')
}

const readSwitch = (name: string, text = 'true'): boolean => {
  if (text !== 'true' && text !== 'false') throw new Error(`must have true or false as ${name}`)
  return text === 'true'
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('has a % that is not part of an encoded character: write %25')
  }
}
