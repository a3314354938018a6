/** What is served beside the API: health, metrics, the reference. It belongs to no organization and has no callers. */
import type { Headers } from './transport.js'

export interface SitePage {
  /** from the root of the site */
  path: string
  serve(): SitePageReply | Promise<SitePageReply>
}

export interface SitePageReply {
  status: number
  headers: Headers
  body: string | Uint8Array
}
