/**
 * The web client: the files that the build wrote to dist/web.
 *
 * The page may run and load only what this server serves, and no inline script or style.
 */
import { fileURLToPath } from 'node:url'
import type { SitePage } from '../pages/site-page.js'
import { openBuiltFiles } from './built-files.js'

const builtFolder = fileURLToPath(new URL('../../web/', import.meta.url))

/** @param media the origin of the operator's proxy for media of other sites; undefined: this server */
const composePolicy = (media: string | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self'${media === undefined ? '' : ` ${media}`} data: blob:`,
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self' https:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * Reads the web client into memory.
 * @param media the origin of the operator's proxy for media of other sites; undefined: this server
 * @returns its pages; none if it was not built
 */
export const openWebClient = (media?: string, folder = builtFolder): SitePage[] =>
  openBuiltFiles({
    folder,
    path: '/',
    headers: { 'Content-Security-Policy': composePolicy(media), 'Referrer-Policy': 'same-origin' },
  })
