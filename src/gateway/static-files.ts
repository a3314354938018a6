/** What clients fetch of the site by fixed addresses, without credentials: the table of emoji, and default pictures. */
import { emojiCodeToNames } from '../domain/emoji.js'
import { unknownAvatarUrl } from '../domain/users.js'
import type { Page, PageReply } from './http/page.js'
import { unknownAvatar } from './pictures.js'

let emojiData: string | undefined

export const staticFiles: readonly Page[] = [
  {
    path: '/static/emoji/emoji-data.json',
    serve() {
      emojiData ??= JSON.stringify({ code_to_names: emojiCodeToNames() })
      return file('application/json', emojiData)
    },
  },
  { path: unknownAvatarUrl, serve: () => file('image/png', unknownAvatar()) },
]

const file = (type: string, body: PageReply['body']): PageReply => ({
  status: 200,
  headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=86400', 'Access-Control-Allow-Origin': '*' },
  body,
})
