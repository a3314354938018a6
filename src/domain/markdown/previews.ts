/**
 * Builds the previews of images, videos and pages that are shown below the paragraph that links to them.
 *
 * This file decides which links have previews; html-writer.ts decides where the previews are placed. Clients load an
 * image of another site through the proxy, so that site does not learn who reads the message. Source: messages.md 6.5.
 */

import { escapeAttribute, escapeCode } from './escape.js'
import { parseUploadPath } from './link-urls.js'
import type { PagePreview, RenderContext, UploadedImage } from './render-context.js'
import type { PreviewableLink } from './render-state.js'

export interface LinkPreview {
  html: string
  /** the preview replaces a paragraph that contains only the link */
  replaces_link: boolean
  is_image: boolean
  /** the state of the file's thumbnail is known, so the HTML of the message is reserialized; see reserialize.ts */
  is_rewritten: boolean
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
  const url = parseForeignUrl(link.url, context)
  if (url === undefined) return undefined
  const media = context.inline_image_preview ? buildMediaPreview(link, url, context) : undefined
  if (media !== undefined) return media
  const page = context.pagePreview?.(link.url)
  return page === undefined ? undefined : buildPagePreview(link, page, context)
}

/** Whether a link leads to a page of another site that can have a preview after a job has fetched it. */
export const isPreviewablePage = (link: PreviewableLink, context: RenderContext): boolean => {
  const url = parseForeignUrl(link.url, context)
  return url !== undefined && buildMediaPreview(link, url, context) === undefined
}

const parseForeignUrl = (href: string, { realm_url }: RenderContext): URL | undefined => {
  if (!/^https?:\/\//i.test(href) || href === realm_url || href.startsWith(`${realm_url}/`)) return undefined
  return URL.canParse(href) ? new URL(href) : undefined
}

const buildMediaPreview = (link: PreviewableLink, url: URL, context: RenderContext): LinkPreview | undefined => {
  if (imageEnding.test(url.pathname))
    return buildImagePreview(link, `src="${proxiedUrl(imageFileUrl(link.url, url), context)}"`, false)
  if (videoEnding.test(url.pathname)) return buildVideoPreview(link, proxiedUrl(link.url, context))
  const id = parseYoutubeId(url)
  return id === undefined ? undefined : buildYoutubePreview(link, id, context)
}

const proxiedUrl = (url: string, context: RenderContext): string => escapeAttribute(context.proxyUrl?.(url) ?? url)

const titleAttribute = ({ label }: PreviewableLink): string =>
  label === undefined ? '' : ` title="${escapeAttribute(label)}"`

const buildImagePreview = (link: PreviewableLink, attributes: string, is_rewritten: boolean): LinkPreview => ({
  html: `<div class="message_inline_image"><a href="${escapeAttribute(link.url)}"${titleAttribute(link)}><img ${attributes}></a></div>`,
  replaces_link: true,
  is_image: true,
  is_rewritten,
})

const buildVideoPreview = (link: PreviewableLink, src: string): LinkPreview => ({
  html:
    `<div class="message_inline_image message_inline_video"><a href="${escapeAttribute(link.url)}"${titleAttribute(link)}>` +
    `<video preload="metadata" src="${src}"></video></a></div>`,
  replaces_link: true,
  is_image: false,
  is_rewritten: false,
})

/** Returns the address of the image itself: GitHub serves a page about an image under an address that ends like one. */
const imageFileUrl = (href: string, { hostname, pathname }: URL): string => {
  const file = /^\/([^/]+\/[^/]+)\/blob\/(.+)$/.exec(pathname)
  return hostname === 'github.com' && file !== null ? `https://raw.githubusercontent.com/${file[1]}/${file[2]}` : href
}

const parseYoutubeId = ({ hostname, pathname, searchParams }: URL): string | undefined => {
  const host = hostname.replace(/^(?:www|m)\./, '')
  let id: string | null | undefined
  if (host === 'youtu.be') id = pathname.slice(1)
  else if (host === 'youtube.com' || host === 'youtube-nocookie.com') {
    id = pathname === '/watch' ? searchParams.get('v') : /^\/(?:embed|shorts|live|v)\/([^/]+)/.exec(pathname)?.[1]
  }
  return id !== null && id !== undefined && /^[\w-]{11}$/.test(id) ? id : undefined
}

const buildYoutubePreview = (link: PreviewableLink, id: string, context: RenderContext): LinkPreview => ({
  html:
    `<div class="youtube-video message_inline_image"><a data-id="${id}" href="${escapeAttribute(link.url)}"${titleAttribute(link)}>` +
    `<img src="${proxiedUrl(`https://i.ytimg.com/vi/${id}/mqdefault.jpg`, context)}"></a></div>`,
  replaces_link: false,
  is_image: false,
  is_rewritten: false,
})

const buildUploadPreview = (
  link: PreviewableLink,
  path_id: string,
  context: RenderContext,
): LinkPreview | undefined => {
  if (videoEnding.test(path_id)) return buildVideoPreview(link, escapeAttribute(link.url))
  const image = context.uploadedImage?.(path_id)
  if (image === undefined) return undefined
  if (image.thumbnail === 'impossible') return { html: '', replaces_link: false, is_image: true, is_rewritten: true }
  return buildImagePreview(link, writeUploadAttributes(path_id, image), image.thumbnail === 'ready')
}

/** Writes the attributes of the `<img>` of an uploaded image: a placeholder while the thumbnail is pending. */
export const writeUploadAttributes = (path_id: string, image: UploadedImage): string => {
  const original =
    ` data-original-content-type="${escapeAttribute(image.content_type)}"` +
    ` data-original-dimensions="${image.width}x${image.height}"`
  if (image.thumbnail === 'pending') {
    return `class="image-loading-placeholder"${original} src="${placeholderUrl}"`
  }
  const animated = image.is_animated === true
  const path = path_id.split('/').map(encodeURIComponent).join('/')
  const src = `/user_uploads/thumbnail/${path}/840x560${animated ? '-anim' : ''}.webp`
  const transcoded =
    image.transcoded === undefined ? '' : ` data-transcoded-image="${escapeAttribute(image.transcoded)}"`
  return `${animated ? 'data-animated="true"' : ''}${original}${transcoded} src="${src}"`.trimStart()
}

const buildPagePreview = (
  link: PreviewableLink,
  page: PagePreview,
  context: RenderContext,
): LinkPreview | undefined => {
  const href = escapeAttribute(link.url)
  // The texts of a page are not Markdown: no character sequence in them is an entity.
  const heading = page.title === undefined ? '' : ` title="${escapeFully(page.title)}"`
  const picture = page.image === undefined ? undefined : proxiedUrl(page.image, context)
  let html: string
  if (page.player_html !== undefined && picture !== undefined) {
    html =
      `<div class="embed-video message_inline_image"><a data-id="${escapeFully(page.player_html)}" href="${href}"${heading}>` +
      `<img src="${picture}"></a></div>`
  } else if (picture !== undefined) {
    const name =
      page.title === undefined
        ? ''
        : `<div class="message_embed_title"><a href="${href}"${heading}>${escapeCode(page.title)}</a></div>`
    const text =
      page.description === undefined
        ? ''
        : `<div class="message_embed_description">${escapeCode(page.description)}</div>`
    html =
      `<div class="message_embed"><a class="message_embed_image" href="${href}" style="background-image: url(&quot;${escapeCssUrl(picture)}&quot;)"></a>` +
      `<div class="data-container">${name}${text}</div></div>`
  } else return undefined
  return { html, replaces_link: false, is_image: false, is_rewritten: false }
}

const escapeFully = (text: string): string => escapeCode(text).replaceAll('"', '&quot;')

/** Escapes a URL for url("…") in a style attribute: no character in the result ends the string. */
const escapeCssUrl = (url: string): string =>
  url.replace(/[\\"'()\s]|&quot;/g, (c) => encodeURIComponent(c === '&quot;' ? '"' : c))
