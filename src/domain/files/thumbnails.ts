/**
 * Thumbnails of uploaded images: their formats, and the HTML of messages after the worker has made them.
 *
 * Source: messages.md 6.5; register.md 5.1.5, `server_thumbnail_formats`.
 */

import { escapeAttribute } from '../markdown/escape.js'
import { parseUploadPath } from '../markdown/link-urls.js'
import { writeUploadAttributes } from '../markdown/previews.js'
import type { UploadedImage } from '../markdown/render-context.js'
import { reserialize } from '../markdown/reserialize.js'

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

/** Returns the file name of the transcoded version in full size; undefined: browsers can show the original. */
export const transcodedName = (type: string, width: number, height: number): string | undefined =>
  browserTypes.has(type) ? undefined : `${width}x${height}.webp`

/** A preview whose thumbnail is pending. The groups are its address and its title attribute. */
const pendingPreview =
  /<div class="message_inline_image"><a href="([^"]*)"((?: title="[^"]*")?)><img class="image-loading-placeholder"[^>]*><\/a><\/div>/g

/**
 * Replaces the placeholders of a file by its thumbnail, or removes them if the thumbnail is impossible. Returns the HTML
 * of the message, unchanged if it has no placeholder of the file.
 */
export const replacePlaceholders = (html: string, path_id: string, image: UploadedImage): string => {
  let isChanged = false
  const changed = html.replace(pendingPreview, (whole, href: string, title: string) => {
    if (parseUploadPath(unescapeHtml(href)) !== path_id) return whole
    isChanged = true
    if (image.thumbnail === 'impossible') return ''
    return `<div class="message_inline_image"><a href="${href}"${title}><img ${writeUploadAttributes(path_id, image)}></a></div>`
  })
  if (!isChanged) return html
  const rest = reserialize(changed).replace(/\n+$/, '')
  if (rest !== '') return rest
  // The removed preview had replaced the link, so the link is written again.
  const href = escapeAttribute(`/user_uploads/${path_id}`)
  return `<p><a href="${href}">${href}</a></p>`
}

const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
