/** The pages of a gateway outside the API: health, API reference and static files. */

import type { EntryKinds } from '../../domain/log/entry-kind.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Health } from '../../monitoring/health.js'
import { registry } from '../api/index.js'
import { composeFailure } from '../call/envelope.js'
import { acceptedTexts } from '../call/failure-texts.js'
import type { App } from '../contract/app.js'
import { allowanceHeaders, rateLimitAddress } from '../fairness/rate-limit.js'
import type { SitePage, SitePageReply, SitePageRequest } from '../pages/site-page.js'
import { cacheDocument } from './cached-document.js'
import { renderErrorsPage } from './errors-page.js'
import { renderEventsPage } from './events-page.js'
import { readExamples } from './examples.js'
import { composeOpenApiDocument } from './openapi.js'
import { composeOpenApi30Document } from './openapi-3-0.js'
import { peoplePages } from './people-pages.js'
import { openReferencePage } from './reference-page.js'
import { staticFiles } from './static-files.js'

/** Lists the pages that this gateway serves. */
export const openSitePages = (app: App, kinds: EntryKinds, health: Health): SitePage[] => {
  let composed: ReturnType<typeof composeOpenApiDocument> | undefined
  const getDocument = () => {
    composed ??= readExamples().then((examples) => composeOpenApiDocument(registry, kinds, examples))
    return composed
  }
  const getOpenApi = cacheDocument(async () => ({
    text: JSON.stringify(await getDocument()),
    headers: { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' },
  }))
  const getOpenApi30 = cacheDocument(async () => ({
    text: JSON.stringify(await composeOpenApi30Document(await getDocument())),
    headers: { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' },
  }))
  const getEvents = cacheDocument(async () => {
    const { html, headers } = await renderEventsPage(await getDocument())
    return { text: html, headers }
  })
  const getErrors = cacheDocument(async () => {
    const { html, headers } = renderErrorsPage(registry)
    return { text: html, headers }
  })
  return [
    ...openReferencePage(),
    ...staticFiles,
    ...peoplePages,
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
      // Whether the proxies say what they should: `check` of the command line compares it with what is.
      path: '/api/v1/connection.json',
      serve: (request) =>
        serveCounted(app, request, async ({ remoteAddress: address, isSecure: is_secure }) => ({
          status: 200,
          headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
          body: JSON.stringify({ address, is_secure }),
        })),
    },
    { path: '/api/v1/openapi.json', serve: (request) => serveCounted(app, request, getOpenApi) },
    { path: '/api/v1/openapi-3.0.json', serve: (request) => serveCounted(app, request, getOpenApi30) },
    { path: '/api/docs/events', serve: (request) => serveCounted(app, request, getEvents) },
    { path: '/api/docs/errors', serve: (request) => serveCounted(app, request, getErrors) },
  ]
}

/** Serves a large page, and counts the request against the rate limit of the caller's address. */
const serveCounted = async (
  { allowances }: App,
  request: SitePageRequest,
  serve: (request: SitePageRequest) => Promise<SitePageReply>,
): Promise<SitePageReply> => {
  const allowance = await allowances.count('api_by_ip', rateLimitAddress({ ip: request.remoteAddress }))
  const counted = allowance === undefined ? {} : allowanceHeaders(allowance)
  if (allowance?.retry_after !== undefined) {
    const { status, text, headers } = composeFailure(
      errors.rateLimitHit({ 'retry-after': allowance.retry_after }),
      acceptedTexts(request.header('accept-language')),
    )
    return { status, headers: { 'Content-Type': 'application/json', ...headers, ...counted }, body: text }
  }
  const { status, headers, body } = await serve(request)
  return { status, headers: { ...headers, ...counted }, body }
}

const composePlainText = (status: number, text: string): SitePageReply => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body: `${text}\n`,
})
