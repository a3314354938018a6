/** A page outside the API (health, metrics, reference, static files). It has no organization and no authentication. */
import type { Headers } from './transport.js'

export interface SitePage {
  /** the path from the root of the site */
  path: string
  serve(): SitePageReply | Promise<SitePageReply>
}

export interface SitePageReply {
  status: number
  headers: Headers
  body: string | Uint8Array
}
