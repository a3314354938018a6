/**
 * Renders links to channels, topics and messages: `#**design**`, `#**design>logo**`, `#**design>logo@95**`.
 *
 * A topic link leads to the topic's oldest message that the sender can read, so it still leads there after the topic
 * was moved. That message is in the database: the caller passes the topics of `findLinkedTopics` to a query, and then
 * renders with the results. Source: protocol/messages.md 6.4.
 */

import { channelFragment, messageFragment, topicFragment } from '#rules/links.js'
import { emptyTopicName } from '#rules/topics.js'
import { element, escapeText, type Html, html, plain } from '../../html/html.js'
import {
  type InlinePass,
  type InlineState,
  insertPlaceholder,
  restoreSource,
  TextRewriter,
} from '../context/placeholders.js'
import type { RenderContext } from '../context/render-context.js'
import { siteUrl } from '../links/link-urls.js'
import { canPrecedeMention } from './mentions.js'

interface LinkTarget {
  channel: { id: number; name: string }
  topic?: string
  /** digits */
  message?: string
}

/**
 * Renders `#**…**`. If the sender cannot read the channel, the text stays, and the emphasis passes render its stars.
 */
export const renderChannelLinks: InlinePass = (text, inline) => {
  let at = text.indexOf('#**')
  if (at === -1) return text
  const rewrite = new TextRewriter(text)
  while (at !== -1) {
    const end = text.indexOf('*', at + 3)
    const target =
      end > at + 3 && text[end + 1] === '*' && canPrecedeMention(text, at)
        ? findTarget(restoreSource(text.slice(at + 3, end), inline), inline.context)
        : undefined
    if (target !== undefined) {
      rewrite.replace(at, end + 2, insertPlaceholder(inline, writeLink(target, inline), text.slice(at, end + 2)))
    }
    at = text.indexOf('#**', target === undefined ? at + 1 : end + 2)
  }
  return rewrite.result()
}

/**
 * Finds the topics that a message links to, each once. The result has every topic for which rendering calls
 * `topicAnchor`, and possibly others (for example topics in code).
 */
export const findLinkedTopics = (
  content: string,
  context: Pick<RenderContext, 'channelByName'>,
): { channel_id: number; topic: string }[] => {
  if (!content.includes('#**')) return []
  const topics = new Map<string, { channel_id: number; topic: string }>()
  for (const [, name = '', topic = ''] of content.matchAll(/#\*\*([^*>]+)>([^*]*)\*\*/g)) {
    const channel = context.channelByName(name)
    if (channel === undefined || /@\d+$/.test(topic)) continue
    topics.set(`${channel.id} ${topic}`, { channel_id: channel.id, topic })
  }
  return [...topics.values()]
}

/** Finds the channel, topic and message of a link. A channel name can contain `>`, so the whole text is tried last. */
const findTarget = (text: string, context: RenderContext): LinkTarget | undefined => {
  const split = text.indexOf('>')
  const channel = split > 0 ? context.channelByName(text.slice(0, split)) : undefined
  if (channel === undefined) {
    const whole = context.channelByName(text)
    return whole === undefined ? undefined : { channel: whole }
  }
  const rest = text.slice(split + 1)
  const message = /@\d+$/.exec(rest)
  if (message === null) return { channel, topic: rest }
  return { channel, topic: rest.slice(0, message.index), message: message[0].slice(1) }
}

const writeLink = ({ channel, topic, message }: LinkTarget, { context }: InlineState): Html => {
  const name = escapeText(`#${channel.name}`)
  const base: `/#${string}` = `/${channelFragment(channel)}`
  const data = { 'data-stream-id': String(channel.id) }
  if (topic === undefined) return element('a', { class: 'stream', ...data, href: siteUrl(base) }, name)

  const text = html`${name} &gt; ${topic === '' ? element('em', plain, escapeText(emptyTopicName)) : escapeText(topic)}`
  if (message !== undefined) {
    const href = siteUrl(`/${messageFragment(channel, topic, message)}`)
    return element('a', { class: 'message-link', href }, html`${text} @ 💬`)
  }
  const topicBase: `/#${string}` = `/${topicFragment(channel, topic)}`
  const oldest = context.topicAnchor?.(channel.id, topic)
  const href = siteUrl(oldest === undefined ? topicBase : `${topicBase}/with/${oldest}`)
  return element('a', { class: 'stream-topic', ...data, href }, text)
}
