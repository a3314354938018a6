/** What a gateway serves beside the API: its health, its metrics, and the reference. */

import type { EntryKinds } from '../../domain/log/entry-kind.js'
import { registry } from '../api/index.js'
import type { App } from '../http/app.js'
import type { Page, PageReply } from '../http/site-page.js'
import type { Metrics } from '../monitoring/metrics.js'
import { openApiDocument } from './openapi.js'
import { referencePage } from './reference.js'
import { staticFiles } from './static-files.js'

export interface Health {
  isDraining: boolean
}

/** Postgres that takes longer than this is not there, in milliseconds. */
const PATIENCE_MS = 2_000

export const openPages = (app: App, kinds: EntryKinds, metrics: Metrics, health: Health): Page[] => {
  let document: object | undefined
  const built = () => {
    document ??= openApiDocument(registry, kinds)
    return document
  }
  return [
    ...staticFiles,
    { path: '/health/live', serve: () => plain(200, 'alive') },
    {
      path: '/health/ready',
      async serve() {
        if (health.isDraining) return plain(503, 'draining')
        return (await answersInTime(app)) ? plain(200, 'ready') : plain(503, 'Postgres does not answer')
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
        body: JSON.stringify(built()),
      }),
    },
    {
      path: '/api/docs',
      serve: () => ({
        status: 200,
        headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': PAGE_POLICY },
        body: referencePage(built()),
      }),
    },
  ]
}

/** The page has its style inside and nothing else. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

const plain = (status: number, text: string): PageReply => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body: `${text}\n`,
})

const answersInTime = async ({ store }: App): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS)
  })
  const answered = store.sql`select 1`.then(
    () => true,
    () => false,
  )
  const isReady = await Promise.race([answered, late])
  clearTimeout(timer)
  return isReady
}
