/** What is served beside the API: health, metrics, the reference. It belongs to no organization and has no callers. */
import type { Headers } from './transport.js'

export interface Page {
  /** from the root of the site */
  path: string
  serve(): PageReply | Promise<PageReply>
}

export interface PageReply {
  status: number
  headers: Headers
  body: string | Uint8Array
}
