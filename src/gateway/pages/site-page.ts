/** A page outside the API (health, reference, static files). It has no organization and no authentication. */
import type { Headers, HttpExchange } from '../contract/transport.js'

export interface SitePage {
  /** the path from the root of the site */
  path: string
  serve(request: SitePageRequest): SitePageReply | Promise<SitePageReply>
}

export type SitePageRequest = Pick<HttpExchange, 'header' | 'remoteAddress' | 'isSecure'>

export interface SitePageReply {
  status: number
  headers: Headers
  body: string | Uint8Array
}
