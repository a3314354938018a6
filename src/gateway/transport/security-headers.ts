/** The headers of every answer that protect browsers, whatever the answer is. */
import type { Config } from '../../config/config.js'

/** A year. */
const HSTS_SECONDS = 31_536_000

/**
 * Lists the headers. Browsers do not guess another content type. A page of another site shows no answer as its own
 * picture, script or frame: with the cookie of a session, it could tell from whether the answer loads what the user may
 * read. Pages that use the API read answers with CORS, which this header leaves alone, and so do programs. Where the
 * organizations have https addresses, browsers use https only; not on subdomains, because those can be other servers of
 * the operator.
 */
export const securityHeaders = (config: Pick<Config, 'PUBLIC_URL'>): readonly (readonly [string, string])[] => [
  ['X-Content-Type-Options', 'nosniff'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ...(isHttps(config) ? [['Strict-Transport-Security', `max-age=${HSTS_SECONDS}`] as const] : []),
]

/** Whether the organizations have https addresses. */
export const isHttps = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): boolean =>
  PUBLIC_URL?.toLowerCase().startsWith('https:') === true
