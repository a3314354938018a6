/**
 * Whether a page of another site made a request, and whether its credentials are the page's own.
 *
 * A page that knows an API key may use it from any site. But a browser that has remembered
 * credentials of HTTP Basic adds them to every request for this host, whichever page makes it. Three
 * rules keep a foreign page from acting with them:
 *
 * 1. No browser is asked for credentials: a 401 for a browser has no
 *    `WWW-Authenticate`, so there is nothing to remember.
 * 2. No page can set the Authorization header of a form, an image or a `no-cors` request. The browser added it.
 * 3. No page can set the Authorization header of a WebSocket handshake. A page sends its key as a subprotocol.
 */
import type { HttpRequest } from 'uWebSockets.js'

type RequestHeaders = Pick<HttpRequest, 'getHeader'>

/**
 * Whether the Origin header names another site than the request was sent to. Some
 * clients outside of browsers send it too.
 */
export const isForeignOrigin = (origin: string, host: string): boolean =>
  origin !== '' && origin.replace(/^https?:\/\//i, '').toLowerCase() !== host.toLowerCase()

/** Whether a browser sent the request (1). */
export const isFromBrowser = (headers: RequestHeaders, origin: string): boolean =>
  origin !== '' || headers.getHeader('sec-fetch-mode') !== ''

/** Whether a browser added the credentials to a request of a foreign page (2). */
export const hasAttachedCredentials = (headers: RequestHeaders, origin: string): boolean => {
  if (origin === '' || headers.getHeader('authorization') === '') return false
  const mode = headers.getHeader('sec-fetch-mode')
  return (mode === 'no-cors' || mode === 'navigate') && isForeignOrigin(origin, headers.getHeader('host'))
}
