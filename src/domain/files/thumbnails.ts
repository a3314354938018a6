/**
 * The smaller versions of uploaded pictures that messages show, and the HTML around them once they are made.
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

/** The versions there are of every picture; the animated one of those that move. */
export const thumbnailFormats: readonly ThumbnailFormat[] = [
  { name: '840x560.webp', ...size, animated: false },
  { name: '840x560-anim.webp', ...size, animated: true },
]

/** Browsers show these as they are. */
const browserTypes = new Set(['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'image/avif'])

/** The name of the version in full size of a picture that browsers cannot show. */
export const transcodedName = (type: string, width: number, height: number): string | undefined =>
  browserTypes.has(type) ? undefined : `${width}x${height}.webp`

/** Address, title and image of a preview whose thumbnail is being made. */
const pendingPreview =
  /<div class="message_inline_image"><a href="([^"]*)"((?: title="[^"]*")?)><img class="image-loading-placeholder"[^>]*><\/a><\/div>/g

/** The message's HTML once the thumbnail of a file is there, or cannot be made; the same when it waits for none. */
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
  // The link itself had given way to its preview.
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
