/** The pictures in messages: which links show one, and where the picture itself is. */
import type { Message } from '@parley/client'
import { rebuildHtml } from '../rendered/rebuild.js'

/** Selects the links of pictures in a message. It leaves out those of videos and of players on other sites. */
export const PICTURE_LINK =
  '.message_inline_image:not(.message_inline_video, .youtube-video, .embed-video) > a[href]:has(> img)'

/** A picture in a message. */
export interface Picture {
  message: Message
  /** its position among the pictures of the message */
  index: number
  /** what the viewer loads */
  source: string
  /** the address of the file, which the link leads to */
  original: string
  title: string
  /** it is in a spoiler: only a user who opened the spoiler sees it */
  isHidden: boolean
}

/** Formats that every browser shows; of others, the viewer shows the preview that the server converted. */
const shownFormats = new Set(['image/avif', 'image/gif', 'image/jpeg', 'image/png', 'image/webp'])

const known = new WeakMap<Message, readonly Picture[]>()

/** The pictures of a message. A message that changes is another object, so its pictures are found once. */
export const picturesOf = (message: Message): readonly Picture[] => {
  const { content } = message
  if (!content.includes('message_inline_image')) return []
  let pictures = known.get(message)
  if (pictures === undefined) {
    const links = [...rebuildHtml(content).querySelectorAll<HTMLAnchorElement>(PICTURE_LINK)]
    pictures = links.map((link, index) => readPicture(message, link, index))
    known.set(message, pictures)
  }
  return pictures
}

const readPicture = (message: Message, link: HTMLAnchorElement, index: number): Picture => {
  const image = link.querySelector('img')
  const original = link.getAttribute('href') ?? ''
  const preview = image?.getAttribute('src') ?? ''
  const format = image?.dataset.originalContentType
  // A picture of another site is loaded through the proxy of the server, as its preview is.
  const isShown = original.startsWith('/user_uploads/') && (format === undefined || shownFormats.has(format))
  return {
    message,
    index,
    source: isShown ? original : preview,
    original,
    title: link.title || fileName(original),
    isHidden: link.closest('.spoiler-content') !== null,
  }
}

const fileName = (address: string): string => {
  const name = /([^/?#]+)(?:[?#].*)?$/.exec(address)?.[1] ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
