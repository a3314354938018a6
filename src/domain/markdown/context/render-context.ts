/**
 * The data that rendering reads (RenderContext), and its result (RenderedContent).
 *
 * Every function of the context answers synchronously from memory: rendering never waits. Callers load what is in the
 * database before they render, with `findLinkedTopics`.
 */
import type { Html } from '../../html/html.js'
import type { CompiledLinkifier } from './compiled-linkifier.js'

export interface RenderContext {
  realm_url: string
  /** the language of code fences that name no language; empty: none */
  default_code_block_language: string
  translate_emoticons: boolean
  /** returns the time that completes a typed time such as `5pm`; absent: the clock */
  now?(): Date
  /** whether images, videos and YouTube links have previews below the text */
  inline_image_preview: boolean
  /** in order of precedence */
  linkifiers: readonly CompiledLinkifier[]
  /** Returns an active custom emoji. */
  customEmoji(name: string): { id: string; source_url: string } | undefined
  userById(id: number): MentionedUser | undefined
  /** Returns all users with this full name. The comparison ignores case. */
  usersByName(name: string): MentionedUser[]
  groupByName(name: string): { id: number; name: string; display_name: string; deactivated: boolean } | undefined
  /** Returns a channel whose content the sender can read. */
  channelByName(name: string): { id: number; name: string } | undefined
  /** Returns the id of the topic's oldest message that the sender can read; see `findLinkedTopics`. */
  topicAnchor?(channel_id: number, topic: string): number | undefined
  /** Returns the image in an uploaded file; undefined for every other file. */
  uploadedImage?(path_id: string): UploadedImage | undefined
  /** Returns the address under which the proxy serves media of another site; absent: clients load it directly. */
  proxyUrl?(url: string, kind: 'picture' | 'video'): string
  /** Returns the fetched data of a page, if the organization shows page previews; see `RenderedContent.page_urls`. */
  pagePreview?(url: string): PagePreview | undefined
}

export interface MentionedUser {
  id: number
  full_name: string
  is_active: boolean
}

export interface UploadedImage {
  /** pending: a worker makes the thumbnail; impossible: the image cannot be decoded, so it has no thumbnail */
  thumbnail: 'pending' | 'ready' | 'impossible'
  content_type: string
  width: number
  height: number
  is_animated?: boolean
  /** if browsers cannot show the original: the file name of a version that they can show, `4032x3024.webp` */
  transcoded?: string
}

export interface PagePreview {
  title?: string
  description?: string
  /** the address of an image */
  image?: string
  /** a video player (oEmbed); present: the page is a video */
  player_html?: Html
}

export interface RenderedContent {
  html: Html
  /** ids of users with a mention that is not silent */
  mentioned_users: number[]
  /** ids of groups with a mention that is not silent */
  mentioned_groups: number[]
  /** whether it contains @all, @everyone, @stream or @channel, not silent */
  channel_wildcard: boolean
  /** whether it contains @topic, not silent */
  topic_wildcard: boolean
  has_link: boolean
  has_image: boolean
  has_attachment: boolean
  /** path ids of the uploaded files that the content links to */
  attachments: string[]
  /** addresses of pages that can be previewed: a job fetches them, then renders again with `pagePreview` */
  page_urls: string[]
}
