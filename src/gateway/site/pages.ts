/** The pages of a gateway outside the API: health, metrics, API reference and static files. */

import type { EntryKinds } from '../../domain/log/entry-kind.js'
import { registry } from '../api/index.js'
import type { App } from '../http/app.js'
import type { SitePage, SitePageReply } from '../http/site-page.js'
import type { Metrics } from '../monitoring/metrics.js'
import { composeOpenApiDocument } from './openapi.js'
import { renderReferencePage } from './reference.js'
import { staticFiles } from './static-files.js'

export interface Health {
  isDraining: boolean
}

/** Milliseconds after which a gateway whose Postgres has not answered is not ready. */
const READINESS_TIMEOUT_MS = 2_000

/** Lists the pages that this gateway serves. */
export const openSitePages = (app: App, kinds: EntryKinds, metrics: Metrics, health: Health): SitePage[] => {
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
      async serve() {
        if (health.isDraining) return composePlainText(503, 'draining')
        return (await isPostgresReady(app))
          ? composePlainText(200, 'ready')
          : composePlainText(503, 'Postgres does not answer')
      },
    },
    {
      path: '/metrics',
      serve: async () => ({
        status: 200,
        headers: { 'Content-Type': metrics.registry.contentType },
        body: await metrics.text(),
      }),
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

const isPostgresReady = async ({ store }: App): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), READINESS_TIMEOUT_MS)
  })
  const answered = store.sql`select 1`.then(
    () => true,
    () => false,
  )
  const isReady = await Promise.race([answered, timedOut])
  clearTimeout(timer)
  return isReady
}
