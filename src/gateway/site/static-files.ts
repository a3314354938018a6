/** Static files at fixed paths, served without authentication: the table of emoji, and default pictures. */
import { emojiCodeToNames } from '../../domain/emoji/emoji-table.js'
import { listEmojiCategories } from '../../domain/emoji/unicode-names.js'
import { placeholderUrl } from '../../domain/markdown/previews.js'
import { defaultLogoUrl } from '../../domain/realm/realm-pictures.js'
import { unknownAvatarUrl } from '../../domain/users/users.js'
import { unknownAvatar } from '../api/files/generated-avatars.js'
import type { SitePage, SitePageReply } from '../pages/site-page.js'

/** A speech bubble, like the icon (storage-keys.ts). */
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 25" width="160" height="100" fill="#4c6ef5">' +
  '<ellipse cx="20" cy="11" rx="13" ry="9"/><path d="M12 15v8l7-5z"/></svg>'

/** The loading indicator: three dots that fade in turn. */
const placeholder =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20" width="80" height="20">' +
  [10, 40, 70]
    .map(
      (x, i) =>
        `<circle cx="${x}" cy="10" r="7"><animate attributeName="opacity" values="1;.2;1" dur="1.2s" begin="${i * 0.2}s" repeatCount="indefinite"/></circle>`,
    )
    .join('') +
  '</svg>'

let emojiData: string | undefined

/** The files, each with its path and its content type. */
export const staticFiles: readonly SitePage[] = [
  {
    path: '/static/emoji/emoji-data.json',
    serve() {
      emojiData ??= JSON.stringify({ code_to_names: emojiCodeToNames(), emoji_catalog: listEmojiCategories() })
      return composeFile('application/json', emojiData)
    },
  },
  { path: defaultLogoUrl, serve: () => composeFile('image/svg+xml', logo) },
  { path: placeholderUrl, serve: () => composeFile('image/svg+xml', placeholder) },
  { path: unknownAvatarUrl, serve: async () => composeFile('image/png', await unknownAvatar()) },
]

const composeFile = (type: string, body: SitePageReply['body']): SitePageReply => ({
  status: 200,
  headers: {
    'Content-Type': type,
    'Cache-Control': 'public, max-age=86400',
    'Content-Security-Policy': "default-src 'none'",
    'Access-Control-Allow-Origin': '*',
  },
  body,
})
