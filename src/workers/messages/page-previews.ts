/**
 * Fetches the pages to which a message links, and adds previews of them to the message (protocol/messages.md 6.5).
 *
 * An edit of the message adds a new job for the new text, and this job ends. A page that cannot be fetched is not
 * requested again.
 */
import type { PagePreview } from '../../domain/markdown/context/render-context.js'
import { sha256 } from '../../domain/messages/message.js'
import { parseOembedVideo, parsePageMeta } from '../../domain/messages/sending/page-meta.js'
import { ApiError } from '../../domain/protocol/errors.js'
import type { Change } from '../../store/log/change.js'
import { StaleStateError } from '../../store/log/log.js'
import type { Realm } from '../../store/log/realm.js'
import {
  loadRenderedMessage,
  type RenderedMessage,
  updateRendering,
} from '../../store/messages/audience/rendering-updates.js'
import { lockMessagesExclusive } from '../../store/messages/message-locks.js'
import { renderContent } from '../../store/messages/sending/render-content.js'
import { type Get, OutgoingCallError } from '../../store/outgoing/outgoing-http.js'
import { loadAccessCheck } from '../../store/users/user-access.js'
import { noEffect } from '../jobs/effects.js'
import type { JobContext, JobHandler } from '../jobs/job-handler.js'

export const pagePreviews: JobHandler<'page_previews'> = async (job) => {
  const { write, realm, payload } = job
  const message = await loadRenderedMessage(write.sql, realm.id, payload.message_id)
  const isSame = message !== undefined && sha256(message.content) === payload.sha256
  const html =
    isSame && realm.state.deployment.allowsPagePreviews ? await renderWithPreviews(job, message.content) : undefined
  if (message === undefined || html === undefined || html === message.rendered_content) return noEffect
  return { change: redrawChange(realm, message, html) }
}

/** The message's HTML with previews; undefined when there are none, or the message cannot be rendered. */
const renderWithPreviews = async (
  { write, realm, payload, realmUrl, get, runExternalCall }: JobContext<'page_previews'>,
  content: string,
): Promise<string | undefined> => {
  const { author_id, urls } = payload
  const previews = await runExternalCall(() => fetchPreviews(get, urls))
  const { state } = realm
  const author = state.users.get(author_id)
  if (author === undefined || previews.size === 0) return undefined
  const isKnown = await loadAccessCheck(write.sql, state, author)
  try {
    const realm_url = realmUrl(state.realm.string_id)
    const options = { realm_url, isKnown, pagePreview: (url: string) => previews.get(url) }
    return (await renderContent(write.sql, state, author, content, options)).html
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

const redrawChange =
  (realm: Realm, message: RenderedMessage, html: string): Change =>
  async (tx) => {
    await lockMessagesExclusive(tx, realm.id)
    const now = await loadRenderedMessage(tx, realm.id, message.id)
    if (now?.content !== message.content) return { entries: [] }
    // A thumbnail was added or the message was moved meanwhile: the job runs again on the new state.
    if (now.rendered_content !== message.rendered_content || now.channel_id !== message.channel_id)
      throw new StaleStateError()
    return { entries: await updateRendering(tx, realm.state, message, html) }
  }

/** The previews of these pages, by URL, without pages that have none. */
const fetchPreviews = async (get: Get, urls: readonly string[]): Promise<ReadonlyMap<string, PagePreview>> => {
  const found = new Map<string, PagePreview>()
  const addPreview = async (url: string) => {
    const preview = await fetchPreview(get, url)
    if (preview !== undefined) found.set(url, preview)
  }
  await Promise.all(urls.map(addPreview))
  return found
}

const fetchPreview = async (get: Get, address: string): Promise<PagePreview | undefined> => {
  const page = await fetchText(get, address, 'text/html')
  if (page === undefined) return undefined
  const { oembed, ...meta } = parsePageMeta(page.text, page.url)
  if (oembed === undefined) return meta
  const description = await fetchText(get, oembed, 'application/json')
  return (description && parseOembedVideo(description.text, description.url)) ?? meta
}

/** The text at a URL, if the server responds with status 200 and this content type. */
const fetchText = async (
  get: Get,
  address: string,
  type: string,
): Promise<{ text: string; url: string } | undefined> => {
  try {
    const { status, headers, body, url } = await get(address, type)
    const [, input, charset = 'utf-8'] =
      /^\s*([^\s;]+)[^;]*(?:;.*?charset="?([\w-]+))?/i.exec(headers['content-type'] ?? '') ?? []
    return status === 200 && input?.toLowerCase() === type ? { text: decode(body, charset), url } : undefined
  } catch (error) {
    if (error instanceof OutgoingCallError) return undefined
    throw error
  }
}

const decode = (bytes: Buffer, charset: string): string => {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}
