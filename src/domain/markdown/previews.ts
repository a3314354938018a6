/**
 * Builds the previews of images, videos and pages that are shown below the paragraph that links to them.
 *
 * This file decides which links have previews; html-writer.ts decides where the previews are placed. Clients load an
 * image of another site through the proxy, so that site does not learn who reads the message. Source:
 * protocol/messages.md 6.5.
 */

import {
  type Attributes,
  backgroundImage,
  element,
  empty,
  escapeCode,
  type Html,
  joinHtml,
  type SafeUrl,
  voidElement,
} from '../html/html.js'
import type { PagePreview, RenderContext, UploadedImage } from './context/render-context.js'
import type { PreviewableLink } from './context/render-state.js'
import { mediaUrl, parseUploadPath } from './links/link-urls.js'

export interface LinkPreview {
  html: Html
  /** the preview replaces a paragraph that contains only the link */
  replaces_link: boolean
  is_image: boolean
  /** the state of the file's thumbnail is known, so the HTML of the message is reserialized; see normalize-html.ts */
  is_rewritten: boolean
  /** the preview shows the data of a page; see RenderedContent.page_urls */
  is_page: boolean
}

/** The image that clients show until the thumbnail is ready. */
export const placeholderUrl = '/static/images/loading/loader-black.svg'

/** A message with more different links has no previews. */
export const MAX_PREVIEWED_LINKS = 24

const imageEnding = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i
const videoEnding = /\.(?:mp4|webm)$/i

/** Builds the preview of one link; undefined: the link has none. */
export const buildPreview = (link: PreviewableLink, context: RenderContext): LinkPreview | undefined => {
  const path_id = parseUploadPath(link.url)
  if (path_id !== undefined)
    return context.inline_image_preview ? buildUploadPreview(link, path_id, context) : undefined
  const url = parseUrl(link.url)
  if (url === undefined) return undefined
  const media = context.inline_image_preview ? buildMediaPreview(link, url, context) : undefined
  if (media !== undefined) return media
  const page = isOwnUrl(link.url, context) ? undefined : context.pagePreview?.(link.url)
  return page === undefined ? undefined : buildPagePreview(link, page, context)
}

/**
 * Whether a link leads to a page of another site that can have a preview. The page has the preview after a job has
 * fetched it.
 */
export const isPreviewablePage = (link: PreviewableLink, context: RenderContext): boolean => {
  if (isOwnUrl(link.url, context)) return false
  const url = parseUrl(link.url)
  return url !== undefined && buildMediaPreview(link, url, context) === undefined
}

const parseUrl = (href: string): URL | undefined => {
  if (!/^https?:\/\//.test(href)) return undefined
  try {
    return new URL(href)
  } catch {
    return undefined
  }
}

/** Whether an address leads to this organization. */
const isOwnUrl = (href: string, { realm_url }: RenderContext): boolean =>
  href === realm_url || href.startsWith(`${realm_url}/`)

const buildMediaPreview = (link: PreviewableLink, url: URL, context: RenderContext): LinkPreview | undefined => {
  const file = findWikipediaFile(url) ?? findDropboxFile(url)
  if (file !== undefined) return buildImagePreview({ url: file, label: undefined }, imageSource(file, context), false)
  if (imageEnding.test(url.pathname))
    return buildImagePreview(link, imageSource(imageFileUrl(link.url, url), context), false)
  if (videoEnding.test(url.pathname)) return buildVideoPreview(link, proxiedUrl(link.url, context, 'video'))
  const id = parseYoutubeId(url)
  return id === undefined ? undefined : buildYoutubePreview(link, id, context)
}

const imageSource = (url: string, context: RenderContext): Attributes => ({ src: proxiedUrl(url, context) })

/** Clients load a file of another site through the proxy. */
const proxiedUrl = (url: string, context: RenderContext, kind: 'picture' | 'video' = 'picture'): SafeUrl | undefined =>
  mediaUrl(isOwnUrl(url, context) ? url : (context.proxyUrl?.(url, kind) ?? url))

const buildImagePreview = ({ url, label }: PreviewableLink, image: Attributes, is_rewritten: boolean): LinkPreview => ({
  html: writeMedia('message_inline_image', { href: url, title: label }, voidElement('img', image)),
  replaces_link: true,
  is_image: true,
  is_rewritten,
  is_page: false,
})

const buildVideoPreview = ({ url }: PreviewableLink, src: SafeUrl | undefined): LinkPreview => ({
  html: writeMedia(
    'message_inline_image message_inline_video',
    { href: url },
    element('video', { preload: 'metadata', src }),
  ),
  replaces_link: true,
  is_image: false,
  is_rewritten: false,
  is_page: false,
})

const writeMedia = (kind: string, link: Attributes, media: Html): Html =>
  element('div', { class: kind }, element('a', link, media))

/** Returns the address of the image itself: GitHub serves a page about an image under an address that ends like one. */
const imageFileUrl = (href: string, { hostname, pathname }: URL): string => {
  const file = /^\/([^/]+\/[^/]+)\/blob\/(.+)$/.exec(pathname)
  return hostname === 'github.com' && file !== null ? `https://raw.githubusercontent.com/${file[1]}/${file[2]}` : href
}

/** Returns the address of the image itself: Wikipedia describes it on a page whose address ends like an image's. */
const findWikipediaFile = ({ origin, hostname, pathname, search }: URL): SafeUrl | undefined =>
  hostname.endsWith('.wikipedia.org') && pathname.startsWith('/wiki/File:') && imageEnding.test(pathname)
    ? mediaUrl(`${origin}/wiki/Special:FilePath/${pathname.slice('/wiki/'.length)}${search}`)
    : undefined

/** Returns the address of the image itself: Dropbox shows a page about a shared file, unless asked for the file. */
const findDropboxFile = ({ href, hostname, pathname }: URL): SafeUrl | undefined => {
  if (!/^(?:.+\.)?dropbox\.com$/.test(hostname) || !pathname.startsWith('/scl/fi/') || !imageEnding.test(pathname))
    return undefined
  const file = new URL(href)
  file.searchParams.set('raw', '1')
  return mediaUrl(file.href)
}

const parseYoutubeId = ({ hostname, pathname, searchParams }: URL): string | undefined => {
  const host = hostname.replace(/^(?:www|m)\./, '')
  let id: string | null | undefined
  if (host === 'youtu.be') id = pathname.slice(1)
  else if (host === 'youtube.com' || host === 'youtube-nocookie.com') {
    if (pathname === '/watch' || pathname === '/watch_popup') id = searchParams.get('v')
    else if (pathname === '/watch_videos') id = searchParams.get('video_ids')?.split(',')[0]
    else id = /^\/(?:embed|shorts|live|v)\/([^/]+)/.exec(pathname)?.[1]
  }
  return id !== null && id !== undefined && /^[\w-]+$/.test(id) ? id : undefined
}

const buildYoutubePreview = ({ url }: PreviewableLink, id: string, context: RenderContext): LinkPreview => {
  const src = proxiedUrl(`https://i.ytimg.com/vi/${id}/mqdefault.jpg`, context)
  return {
    html: writeMedia('youtube-video message_inline_image', { 'data-id': id, href: url }, voidElement('img', { src })),
    replaces_link: false,
    is_image: false,
    is_rewritten: false,
    is_page: false,
  }
}

const buildUploadPreview = (
  link: PreviewableLink,
  path_id: string,
  context: RenderContext,
): LinkPreview | undefined => {
  if (videoEnding.test(path_id)) return buildVideoPreview(link, link.url)
  const image = context.uploadedImage?.(path_id)
  if (image === undefined) return undefined
  if (image.thumbnail === 'impossible')
    return { html: empty, replaces_link: false, is_image: true, is_rewritten: true, is_page: false }
  return buildImagePreview(link, uploadAttributes(path_id, image), image.thumbnail === 'ready')
}

/**
 * Returns the attributes of the `<img>` of an uploaded image. They are those of a placeholder while the thumbnail is
 * pending.
 */
export const uploadAttributes = (path_id: string, image: UploadedImage): Attributes => {
  const original = {
    'data-original-content-type': image.content_type,
    'data-original-dimensions': `${image.width}x${image.height}`,
  }
  if (image.thumbnail === 'pending') {
    return { class: 'image-loading-placeholder', ...original, src: mediaUrl(placeholderUrl) }
  }
  const animated = image.is_animated === true
  const path = path_id.split('/').map(encodeURIComponent).join('/')
  return {
    'data-animated': animated ? 'true' : undefined,
    ...original,
    'data-transcoded-image': image.transcoded,
    src: mediaUrl(`/user_uploads/thumbnail/${path}/840x560${animated ? '-anim' : ''}.webp`),
  }
}

const buildPagePreview = (
  { url: href }: PreviewableLink,
  { title, description, image, player_html }: PagePreview,
  context: RenderContext,
): LinkPreview | undefined => {
  const picture = image === undefined ? undefined : proxiedUrl(image, context)
  if (picture === undefined) return undefined
  // The texts of a page are not Markdown: no character sequence in them is an entity.
  const html =
    player_html === undefined
      ? writeEmbed(
          element('a', { class: 'message_embed_image', href, style: backgroundImage(picture) }),
          title === undefined ? empty : writeTitle(element('a', { href, title }, escapeCode(title))),
          description === undefined ? empty : writeDescription(escapeCode(description)),
        )
      : writeMedia(
          'embed-video message_inline_image',
          { 'data-id': player_html, href, title },
          voidElement('img', { src: picture }),
        )
  return { html, replaces_link: false, is_image: false, is_rewritten: false, is_page: true }
}

const writeEmbed = (image: Html, title: Html, description: Html): Html =>
  element(
    'div',
    { class: 'message_embed' },
    joinHtml([image, element('div', { class: 'data-container' }, joinHtml([title, description]))]),
  )

const writeTitle = (link: Html): Html => element('div', { class: 'message_embed_title' }, link)

const writeDescription = (text: Html): Html => element('div', { class: 'message_embed_description' }, text)
