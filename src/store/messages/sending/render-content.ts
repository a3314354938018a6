/**
 * Renders the Markdown of a sender. Rendering is synchronous, so the data it needs from the database is loaded first;
 * most messages need none.
 */

import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import type { RenderedContent } from '../../../domain/markdown/context/render-context.js'
import { findLinkedTopics } from '../../../domain/markdown/inline/channel-links.js'
import { render } from '../../../domain/markdown/render.js'
import { topicConditions } from '../../../domain/messages/narrow/narrow.js'
import { canReadHistory } from '../../../domain/messages/reading.js'
import { checkHtmlLength } from '../../../domain/rendering/html-length.js'
import { buildRenderContext, type RenderOptions } from '../../../domain/rendering/message-render-context.js'
import type { FoundAttachment } from '../../files/attachments.js'
import type { Sql } from '../../sql.js'
import { selectPageIds } from '../narrow/select-page-ids.js'
import { loadShareableFiles } from './file-claims.js'

/** Links to topics in one message beyond this lead to the topic without naming its first message. */
const MOST_TOPICS = 20

export interface RenderedWithFiles extends RenderedContent {
  /** the linked files that its sender may share: only such a link sets `has_attachment` */
  files: readonly FoundAttachment[]
}

type ContentOptions = Pick<RenderOptions, 'realm_url' | 'isKnown' | 'pagePreview'>

/** Renders a text. Throws BAD_REQUEST when the HTML would be too long to store. */
export const renderContent = async (
  sql: Sql,
  state: RealmState,
  sender: UserRow,
  content: string,
  options: ContentOptions,
): Promise<RenderedWithFiles> => {
  const rendered = await renderAnyLength(sql, state, sender, content, options)
  checkHtmlLength(rendered)
  return rendered
}

/**
 * Renders a text of any length. The decision about a send checks the length, after other checks. The linked files are
 * known after rendering; if some are images, the text is rendered a second time.
 */
export const renderAnyLength = async (
  sql: Sql,
  state: RealmState,
  sender: UserRow,
  content: string,
  options: ContentOptions,
): Promise<RenderedWithFiles> => {
  const ownContext = buildRenderContext(state, sender, options)
  const topics = findLinkedTopics(content, ownContext).slice(0, MOST_TOPICS)
  const context =
    topics.length === 0
      ? ownContext
      : { ...ownContext, topicAnchor: await loadTopicAnchors(sql, state, sender, topics) }
  const rendered = render(content, context)
  if (!rendered.has_attachment) return { files: [], ...rendered }
  const files = await loadShareableFiles({ sql, state, reader: sender }, rendered.attachments)
  const images = new Map(files.flatMap(({ path_id, image }) => (image === null ? [] : [[path_id, image]])))
  const shown = images.size === 0 ? rendered : render(content, { ...context, uploadedImage: (id) => images.get(id) })
  return { files, ...shown, has_attachment: files.length > 0 }
}

const loadTopicAnchors = async (
  sql: Sql,
  state: RealmState,
  reader: UserRow,
  topics: readonly { channel_id: number; topic: string }[],
) => {
  const topicKey = (channel_id: number, topic: string) => `${channel_id} ${topic.toLowerCase()}`
  const anchors = new Map<string, number>()
  const find = async ({ channel_id, topic }: { channel_id: number; topic: string }) => {
    const channel = state.channels.get(channel_id)
    const includesHistory = channel !== undefined && canReadHistory(state, reader, channel)
    const narrow = { conditions: topicConditions(channel_id, topic), includesHistory }
    const [oldest] = await selectPageIds({ sql, state, reader, narrow }, { from: 0, limit: 1 })
    if (oldest !== undefined) anchors.set(topicKey(channel_id, topic), oldest)
  }
  await Promise.all(topics.map(find))
  return (channel_id: number, topic: string) => anchors.get(topicKey(channel_id, topic))
}
