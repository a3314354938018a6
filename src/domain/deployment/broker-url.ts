/**
 * The forms of EVENT_NATS_URL and EVENT_KAFKA_URL: the brokers of the operator to which subscriptions may deliver.
 *
 *   nats://[user:password@|token@]host[:port][,host[:port]…][?option=value&…]
 *   kafka://[user:password@]host[:port][,host[:port]…][?option=value&…]
 *
 * With `nats+tls` or `kafka+tls`, all connections use TLS. Owners of subscriptions choose a topic, and never a server:
 * none of them reaches a host of the operator's network through the workers.
 */
import { findUnencodedLogin, HOW_TO_ENCODE_PASSWORDS as HOW_TO_ENCODE } from '../net/url-passwords.js'

export type BrokerKind = 'nats' | 'kafka'

/** How a client of Kafka proves its password. The servers of NATS decide this by themselves. */
export const saslMechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const
export type SaslMechanism = (typeof saslMechanisms)[number]

/** Where a broker is. */
export interface BrokerUrl {
  /** some servers of a cluster, which name the others */
  hosts: readonly { host: string; port: number }[]
  /** with `password` a user; without, of NATS, a token */
  login: string | undefined
  password: string | undefined
  mechanism: SaslMechanism
  /** nats: the file with the credentials of a user, as `nsc` writes it */
  credentials_file: string | undefined
  /** files in PEM format; undefined: no connection uses TLS */
  tls: { ca: string | undefined; cert: string | undefined; key: string | undefined } | undefined
}

const PORTS = { nats: 4222, kafka: 9092 }
const TLS_OPTIONS = ['tls_ca', 'tls_cert', 'tls_key']
const OPTIONS = { nats: ['credentials', ...TLS_OPTIONS], kafka: ['mechanism', ...TLS_OPTIONS] }

/**
 * Reads the URL of a broker. Throws an Error whose message says what is wrong. It repeats no part of the URL, which may
 * be the password.
 */
export const parseBrokerUrl = (kind: BrokerKind, url: string): BrokerUrl => {
  const unencoded = findUnencodedLogin(url)
  if (unencoded !== undefined) throw new Error(unencoded)
  const parts = /^([a-z]+)(\+tls)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)\/?(?:\?([^#]*))?$/i.exec(url)
  const [, scheme = '', secure = '', login, hostList = '', query = ''] = parts ?? []
  if (scheme.toLowerCase() !== kind) {
    throw new Error(`must begin with ${kind}:// or ${kind}+tls://, name hosts, and have no path`)
  }
  const options = readOptions(kind, query, secure !== '')
  const colon = login?.indexOf(':') ?? -1
  if (kind === 'kafka' && login !== undefined && colon === -1) throw new Error('has a user name without a password')
  return {
    hosts: hostList.split(',').map((text) => readHost(text, PORTS[kind])),
    login: login ? decode(colon === -1 ? login : login.slice(0, colon)) : undefined,
    password: login === undefined || colon === -1 ? undefined : decode(login.slice(colon + 1)),
    mechanism: readMechanism(options.get('mechanism')),
    credentials_file: options.get('credentials'),
    tls:
      secure === ''
        ? undefined
        : { ca: options.get('tls_ca'), cert: options.get('tls_cert'), key: options.get('tls_key') },
  }
}

const readOptions = (kind: BrokerKind, query: string, isSecure: boolean): Map<string, string> => {
  const options = new Map(new URLSearchParams(query))
  for (const name of options.keys()) {
    if (!OPTIONS[kind].includes(name)) throw new Error(`has an unknown option; there are ${OPTIONS[kind].join(', ')}`)
    if (name.startsWith('tls_') && !isSecure) throw new Error(`has ${name} without TLS: begin with ${kind}+tls`)
  }
  if (options.has('tls_cert') !== options.has('tls_key')) throw new Error('must have tls_cert and tls_key together')
  return options
}

const readHost = (text: string, standardPort: number): { host: string; port: number } => {
  const [, bracketed, name, digits] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]]+))(?::(\d+))?$/i.exec(text) ?? []
  const host = bracketed ?? name
  const port = digits === undefined ? standardPort : Number(digits)
  if (host === undefined || port < 1 || port > 65_535) {
    throw new Error(`must name hosts as host or host:port, separated by commas. ${HOW_TO_ENCODE}`)
  }
  return { host, port }
}

const readMechanism = (text = 'SCRAM-SHA-512'): SaslMechanism => {
  const found = saslMechanisms.find((name) => name === text.toUpperCase())
  if (found === undefined) throw new Error(`must have one of these as mechanism: ${saslMechanisms.join(', ')}`)
  return found
}

/** findUnencodedLogin has refused what cannot be decoded, except for bytes that are no UTF-8. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error(`has a login that is not UTF-8. ${HOW_TO_ENCODE}`)
  }
}
