/**
 * Thumbnails of uploaded images: their formats, and the HTML of messages after the worker has made them.
 *
 * Source: protocol/messages.md 6.5; protocol/register.md 5.1.5, `server_thumbnail_formats`.
 */

import { element, escapeCode, type Html, html, trustHtml, unescapeHtml, voidElement } from '../html/html.js'
import type { UploadedImage } from '../markdown/context/render-context.js'
import { parseUploadPath, siteUrl } from '../markdown/links/link-urls.js'
import { normalizeHtml } from '../markdown/normalize-html.js'
import { uploadAttributes } from '../markdown/previews.js'

export interface ThumbnailFormat {
  name: string
  max_width: number
  max_height: number
  format: 'webp'
  animated: boolean
}

const size = { max_width: 840, max_height: 560, format: 'webp' } as const

/** The thumbnails of every image. Only animated images have the animated one. */
export const thumbnailFormats: readonly ThumbnailFormat[] = [
  { name: '840x560.webp', ...size, animated: false },
  { name: '840x560-anim.webp', ...size, animated: true },
]

/** The content types that browsers can show. */
const browserTypes = new Set(['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'image/avif'])

/**
 * Returns the file name of the transcoded version in full size. Returns undefined if browsers can show the original.
 */
export const transcodedName = (type: string, width: number, height: number): string | undefined =>
  browserTypes.has(type) ? undefined : `${width}x${height}.webp`

/**
 * A preview whose thumbnail is pending. The groups are what precedes the `<img>`, the link's address, and what follows.
 */
const pendingPreview =
  /(<div class="message_inline_image"><a href="([^"]*)"(?: title="[^"]*")?>)<img class="image-loading-placeholder"[^>]*>(<\/a><\/div>)/g

/**
 * Replaces the placeholders of a file by its thumbnail. Removes them if the thumbnail is impossible.
 * Returns the HTML of the message, unchanged if it has no placeholder of the file.
 * @param stored the HTML of a message, as this server wrote it
 */
export const replacePlaceholders = (stored: string, path_id: string, image: UploadedImage): Html => {
  let isChanged = false
  const changed = stored.replace(pendingPreview, (whole, before: string, href: string, after: string) => {
    if (parseUploadPath(unescapeHtml(href)) !== path_id) return whole
    isChanged = true
    if (image.thumbnail === 'impossible') return ''
    return `${before}${voidElement('img', uploadAttributes(path_id, image))}${after}`
  })
  if (!isChanged) return trustHtml(stored)
  const rest = trustHtml(normalizeHtml(trustHtml(changed)).replace(/\n+$/, ''))
  if (rest !== '') return rest
  // The removed preview had replaced the link, so the link is written again.
  const href = siteUrl(`/user_uploads/${path_id}`)
  return html`<p>${element('a', { href }, escapeCode(href))}</p>`
}
