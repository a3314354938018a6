/**
 * Tells whether a request for the operations listener may be answered. The listener has no authentication, and a page
 * of another site can send requests to 127.0.0.1 from the browser of an operator.
 *
 * 1. A name that resolves to this machine may belong to an attacker (DNS rebinding), and then the attacker's page has
 *    the origin of the listener. So the host must be an IP address, `localhost`, or a name that the operator chose. A
 *    request without a host comes from no browser: probes that speak HTTP/1.0 send none.
 * 2. A page of another site loads nothing from here. It may lead a browser here.
 * 3. A request that changes something must say that it comes from this host (Origin), and have the type of JSON, which
 *    a form cannot send. A browser sends Origin with every POST.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { Config } from '../config/config.js'

/**
 * Lists the names under which the listener answers, in lower case. It also answers under IP addresses and `localhost`.
 */
export const operationsNames = ({
  OPERATIONS_HOST,
  OPERATIONS_NAMES,
}: Pick<Config, 'OPERATIONS_HOST' | 'OPERATIONS_NAMES'>): readonly string[] =>
  [OPERATIONS_HOST, ...OPERATIONS_NAMES].map((name) => name.toLowerCase())

/** Finds why a request for any page is refused, as a sentence (1, 2). Returns undefined if it is not refused. */
export const findForeignRequest = (
  method: string,
  headers: IncomingHttpHeaders,
  names: readonly string[],
): string | undefined => {
  const host = parseHost(`http://${headers.host ?? ''}`)
  const isOwn = headers.host === undefined ? !isFromBrowser(headers) : host !== undefined && isOwnName(host.name, names)
  if (!isOwn)
    return 'Nothing is served under this host name. Use an IP address or localhost, or add the name to OPERATIONS_NAMES.'
  const site = headers['sec-fetch-site']
  const isPage = headers['sec-fetch-mode'] === 'navigate' && method === 'GET'
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isPage)
    return 'A page of another site cannot use this address.'
  return undefined
}

/** Finds why a request that changes something is refused, as a sentence (3). Returns undefined if it is not refused. */
export const findForeignAction = (headers: IncomingHttpHeaders): string | undefined => {
  const host = parseHost(`http://${headers.host ?? ''}`)
  if (host === undefined || parseHost(headers.origin ?? '')?.host !== host.host)
    return 'The Origin header must be the address of the console.'
  if (headers['content-type'] !== 'application/json') return 'The Content-Type must be application/json.'
  return undefined
}

/** Browsers send one of these with every request. */
const isFromBrowser = (headers: IncomingHttpHeaders): boolean =>
  headers.origin !== undefined || headers.referer !== undefined || headers['sec-fetch-site'] !== undefined

/** The host of an address, with and without its port. The URL parser writes names in lower case. */
const parseHost = (address: string): { host: string; name: string } | undefined => {
  if (!URL.canParse(address)) return undefined
  const { host, hostname } = new URL(address)
  return host === '' ? undefined : { host, name: hostname.replace(/^\[|\]$/g, '') }
}

const isOwnName = (name: string, names: readonly string[]) =>
  name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0 || names.includes(name)
