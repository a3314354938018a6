/**
 * Tells whether a request for the console comes from its own page. The listener has no authentication, and a page of
 * another site can send requests to 127.0.0.1 from the browser of an operator.
 *
 * 1. A name that resolves to this machine may belong to an attacker (DNS rebinding), and then the attacker's page has
 *    the origin of the console. So the host must be an IP address, `localhost`, or a name that the operator chose.
 * 2. A request that changes something must say that it comes from this host (Origin), and have the type of JSON, which
 *    a form cannot send. A browser sends Origin with every POST.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/** @returns why the request is refused, as a sentence; undefined: it is not */
export const findForeignRequest = (
  method: string,
  headers: IncomingHttpHeaders,
  names: readonly string[],
): string | undefined => {
  const host = parseHost(`http://${headers.host ?? ''}`)
  if (host === undefined || !isOwnName(host.name, names))
    return 'The console is not served under this host name. Use an IP address or localhost, or add the name to OPERATIONS_NAMES.'
  const site = headers['sec-fetch-site']
  const isPage = headers['sec-fetch-mode'] === 'navigate' && method === 'GET'
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isPage)
    return 'A page of another site cannot use the console.'
  if (method === 'GET' || method === 'HEAD') return undefined
  if (parseHost(headers.origin ?? '')?.host !== host.host)
    return 'The Origin header must be the address of the console.'
  if (headers['content-type'] !== 'application/json') return 'The Content-Type must be application/json.'
  return undefined
}

/** The host of an address, with and without its port. The URL parser writes names in lower case. */
const parseHost = (address: string): { host: string; name: string } | undefined => {
  if (!URL.canParse(address)) return undefined
  const { host, hostname } = new URL(address)
  return host === '' ? undefined : { host, name: hostname.replace(/^\[|\]$/g, '') }
}

const isOwnName = (name: string, names: readonly string[]) =>
  name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0 || names.includes(name)
