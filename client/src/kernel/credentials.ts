/**
 * How requests prove who makes them.
 *
 * 1. `{ email, apiKey }`: an Authorization header. In a handshake of a WebSocket, which has no headers of its own, the
 *    key is a subprotocol.
 * 2. `'session'`: the cookie of a browser's session. A call that changes something needs the session's CSRF token too.
 * 3. `'none'`: what an organization shows to everyone.
 */
import { encodeBase64 } from './base64.js'

/** Who calls. */
export type Credentials = { email: string; apiKey: string } | 'session' | 'none'

/** Returns the Authorization header of an account; undefined for other credentials. */
export const authorization = (credentials: Credentials): string | undefined =>
  typeof credentials === 'string' ? undefined : `Basic ${encodeBase64(`${credentials.email}:${credentials.apiKey}`)}`

/** Returns the subprotocols of a handshake. */
export const subprotocols = (credentials: Credentials): string[] => {
  if (typeof credentials === 'string') return ['parley.v1']
  const text = encodeBase64(`${credentials.email}:${credentials.apiKey}`)
  return ['parley.v1', `basic.${text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`]
}
