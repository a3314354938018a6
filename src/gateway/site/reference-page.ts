/**
 * The page of the API reference: Swagger UI with the OpenAPI document (reference/ has its sources).
 *
 * It may run and load only what this server serves, and no inline script or style. The pictures of Swagger UI are data.
 */
import { fileURLToPath } from 'node:url'
import type { SitePage } from '../pages/site-page.js'
import { openBuiltFiles } from './built-files.js'

const folder = fileURLToPath(new URL('../../reference/', import.meta.url))

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Reads the page and its files into memory. @returns none if the page was not built */
export const openReferencePage = (): SitePage[] =>
  openBuiltFiles({
    folder,
    path: '/api/docs',
    headers: { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' },
  })
