/** The pages of a gateway outside the API: health, API reference and static files. */

import type { EntryKinds } from '../../domain/log/entry-kind.js'
import type { Health } from '../../monitoring/health.js'
import { registry } from '../api/index.js'
import type { SitePage, SitePageReply } from '../http/site-page.js'
import { composeOpenApiDocument } from './openapi.js'
import { renderReferencePage } from './reference.js'
import { staticFiles } from './static-files.js'

/** Lists the pages that this gateway serves. */
export const openSitePages = (kinds: EntryKinds, health: Health): SitePage[] => {
  let document: object | undefined
  const getDocument = () => {
    document ??= composeOpenApiDocument(registry, kinds)
    return document
  }
  return [
    ...staticFiles,
    { path: '/health/live', serve: () => composePlainText(200, 'alive') },
    {
      path: '/health/ready',
      // Anyone can read this page, so it does not say why. The page of operators does (operations-server.ts).
      async serve() {
        const { isReady } = await health.check()
        return isReady ? composePlainText(200, 'ready') : composePlainText(503, 'not ready')
      },
    },
    {
      path: '/api/v1/openapi.json',
      serve: () => ({
        status: 200,
        headers: { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' },
        body: JSON.stringify(getDocument()),
      }),
    },
    {
      path: '/api/docs',
      serve: () => ({
        status: 200,
        headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': REFERENCE_CSP },
        body: renderReferencePage(getDocument()),
      }),
    },
  ]
}

/** The reference page has an inline style, and loads nothing. */
const REFERENCE_CSP = "default-src 'none'; style-src 'unsafe-inline'"

const composePlainText = (status: number, text: string): SitePageReply => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body: `${text}\n`,
})
