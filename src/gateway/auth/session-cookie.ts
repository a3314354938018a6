/**
 * The cookie of a browser's session, and what a request with it proves.
 *
 * 1. The token is in a cookie that scripts cannot read (HttpOnly), and that browsers do not add to requests which pages
 *    of other sites make (SameSite=Lax), except when a user follows a link.
 * 2. Behind TLS the cookie is Secure and has the prefix `__Host-`: neither a page without TLS nor one of a subdomain
 *    can set it, so neither can make a browser use the session of an attacker. Only this name is read there.
 * 3. A page of another origin is refused, whatever it asks for. A page that sends no Origin is not: no browser lets a
 *    page leave it out of a call that changes something, or of a handshake.
 * 4. A log-in with a provider that has begun has a cookie of its own, so that its end is accepted from the browser only
 *    that began it. The provider leads the browser back with a link, for which SameSite=Lax sends the cookie.
 */

import { createHash } from 'node:crypto'
import { LONGEST_SECONDS } from '../../domain/users/accounts/sessions.js'
import type { SessionCredentials } from '../contract/call-request.js'
import { isForeignOrigin } from './request-origin.js'

const NAME = 'parley_session'

const LOG_IN_NAME = 'parley_log_in'

const cookieName = (isSecure: boolean, name = NAME) => (isSecure ? `__Host-${name}` : name)

/** The headers of a request that concern its session. */
export interface SessionHeaders {
  /** the Cookie header */
  readonly cookie: string
  /** the header X-CSRF-Token */
  readonly csrfToken: string
  readonly host: string
  readonly origin: string
}

/**
 * Reads the session of a request; undefined when it has no session cookie.
 * @param isSecure whether the browser sent the request over TLS
 */
export const readSession = (
  { cookie, csrfToken, host, origin }: SessionHeaders,
  isSecure: () => boolean,
  isHandshake = false,
): SessionCredentials | undefined => {
  if (!cookie.includes(NAME)) return undefined
  const overTls = isSecure()
  const token = findCookie(cookie, cookieName(overTls))
  if (token === undefined) return undefined
  const isForeign = isForeignOrigin(origin, host) || (overTls && /^http:/i.test(origin))
  return { token, csrf_token: csrfToken, isForeign: isForeign || (isHandshake && origin === ''), isHandshake }
}

/** The value of a cookie. A name that occurs twice has none: one of the two is not from this server. */
const findCookie = (header: string, name: string): string | undefined => {
  const found = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined
}

/** The Set-Cookie header with which a session begins. */
export const composeSessionCookie = (token: string, isSecure: boolean): string =>
  composeCookie(token, LONGEST_SECONDS, isSecure)

/** The Set-Cookie header with which a browser forgets its session. */
export const composeEndedCookie = (isSecure: boolean): string => composeCookie('', 0, isSecure)

/** Reads the cookie of a log-in with a provider; undefined when there is none. */
export const readLogInFlow = (cookie: string, isSecure: () => boolean): string | undefined =>
  cookie.includes(LOG_IN_NAME) ? findCookie(cookie, cookieName(isSecure(), LOG_IN_NAME)) : undefined

/** The Set-Cookie header with which a log-in with a provider begins (4). */
export const composeLogInCookie = (value: string, seconds: number, isSecure: boolean): string =>
  composeCookie(value, seconds, isSecure, LOG_IN_NAME)

const composeCookie = (value: string, seconds: number, isSecure: boolean, name = NAME) =>
  `${cookieName(isSecure, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

/**
 * The token that a page sends with each call that changes something. It follows from the secret of the session, and
 * only a page of this origin can read it.
 */
export const deriveCsrfToken = (token: string): string =>
  createHash('sha256').update(`csrf:${token}`).digest('base64url')
