/**
 * What a rendering may look up, and what it finds.
 *
 * Every look-up answers at once from memory: rendering never waits. What needs a database is asked for beforehand,
 * with `linkedTopics`.
 */
import type { CompiledLinkifier } from './compiled-linkifier.js'

export interface RenderContext {
  realm_url: string
  /** language of fences that name none; empty: none */
  default_code_block_language: string
  translate_emoticons: boolean
  /** whether images, videos and YouTube links are shown below the text */
  inline_image_preview: boolean
  /** in the order they are tried */
  linkifiers: readonly CompiledLinkifier[]
  /** an active custom emoji */
  customEmoji(name: string): { id: string; source_url: string } | undefined
  userById(id: number): MentionedUser | undefined
  /** everyone of that name, whatever its case */
  usersByName(name: string): MentionedUser[]
  groupByName(name: string): { id: number; name: string; display_name: string; deactivated: boolean } | undefined
  /** only channels whose content the sender may read */
  channelByName(name: string): { id: number; name: string } | undefined
  /** the oldest message of the topic that the sender may read; see `linkedTopics` */
  topicAnchor?(channel_id: number, topic: string): number | undefined
  /** an uploaded file that is an image; undefined for every other file */
  uploadedImage?(path_id: string): UploadedImage | undefined
  /** where clients load a picture of another site from; without it, from that site */
  proxyUrl?(url: string): string
  /** what was learned about a page, when the organization shows such previews; see `Rendered.pages` */
  pagePreview?(url: string): PagePreview | undefined
}

export interface MentionedUser {
  id: number
  full_name: string
  is_active: boolean
}

export interface UploadedImage {
  /** pending: the thumbnail is being made; impossible: there will be none */
  thumbnail: 'pending' | 'ready' | 'impossible'
  content_type: string
  width: number
  height: number
  is_animated?: boolean
  /** file name of the version that browsers can show, when they cannot show the original: `4032x3024.webp` */
  transcoded?: string
}

export interface PagePreview {
  title?: string
  description?: string
  /** address of a picture */
  image?: string
  /** HTML of a player (oEmbed): the page is a video */
  player_html?: string
}

export interface RenderedContent {
  html: string
  /** ids of the users mentioned loudly */
  mentioned_users: number[]
  /** ids of the groups mentioned loudly */
  mentioned_groups: number[]
  /** a loud @all, @everyone, @stream or @channel */
  channel_wildcard: boolean
  /** a loud @topic */
  topic_wildcard: boolean
  has_link: boolean
  has_image: boolean
  has_attachment: boolean
  /** path ids of the uploaded files it links to */
  attachments: string[]
  /** addresses whose pages may be previewed: what to fetch before rendering again with `pagePreview` */
  page_urls: string[]
}
