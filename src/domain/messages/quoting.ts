/**
 * Quotations, mentions and links in the Markdown of messages that the server sends.
 *
 * Names of channels, topics and groups can contain characters that end a mention or are syntax of their own. Such a
 * name is written in a link with an address, or as code.
 */

import { emptyTopicName } from '#rules/topics.js'
import type { ChannelRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { channelLink, channelMessageLink, directMessageLink, topicLink } from './permalinks.js'

export interface QuotedMessage {
  id: number
  sender_id: number
  channel_id: number | null
  user_ids: readonly number[] | null
  topic: string
  content: string
}

/** A mention of the user in Markdown that sends no notification. */
export const silentMention = (user: UserRow): string => `@_**${user.full_name}|${user.id}**`

/** A mention of the group in Markdown that sends no notification; its name as code, if a mention cannot contain it. */
export const silentGroupMention = (name: string): string =>
  syntaxInMention.test(name) ? quoteLiterally(name) : `@_*${name}*`

/** The text as inline code, so that a name that looks like a mention does not notify. */
export const quoteLiterally = (name: string): string => {
  const longest = Math.max(0, ...(name.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `\`${name}\`` : `${fence} ${name} ${fence}`
}

/** What ends a mention, what has a higher precedence than a mention, and entities. */
const syntaxInMention = /[*`]|\$\$|&#?[0-9a-z]+;/i

/** The link to a channel in Markdown. */
export const channelMention = (channel: ChannelRow): string => {
  const { name } = channel
  const isPlain = !syntaxInMention.test(name) && !name.includes('>')
  return isPlain ? `#**${name}**` : `[#${escapeLabel(name)}](${channelLink(channel)})`
}

/** The link to a topic in Markdown. */
export const topicMention = (channel: ChannelRow, topic: string): string => {
  // `#**channel>topic@5**` is a link to message 5.
  const isPlain = isPlainPlace(channel, topic) && !/@\d+$/.test(topic)
  return isPlain ? `#**${channel.name}>${topic}**` : `[${placeLabel(channel, topic)}](${topicLink(channel, topic)})`
}

const isPlainPlace = ({ name }: ChannelRow, topic: string): boolean =>
  !syntaxInMention.test(name) && !name.includes('>') && !syntaxInMention.test(topic)

const placeLabel = ({ name }: ChannelRow, topic: string): string =>
  `#${escapeLabel(name)} &gt; ${escapeLabel(topic === '' ? emptyTopicName : topic)}`

/** The text of a link, in which no character is syntax. */
const escapeLabel = (text: string): string =>
  text.replace(/[&<>`*[\]$\\]/g, (character) => `&#${character.charCodeAt(0)};`)

/** The message as a quotation, with its sender and a link to it. */
export const quoteMessage = (state: RealmState, message: QuotedMessage): string => {
  const sender = state.users.get(message.sender_id)
  const who = sender === undefined ? 'A deleted user' : silentMention(sender)
  return `${who} [said](${messageLink(state, message)}):\n${quoteText(message.content)}`
}

/** The text as a quotation in Markdown. */
export const quoteText = (content: string): string => {
  const fence = chooseFence(content)
  return `${fence}quote\n${content}\n${fence}`
}

/** A reference to the message in Markdown, for a sentence. */
export const messageMention = (state: RealmState, { id, channel_id, topic }: QuotedMessage): string => {
  const channel = channel_id === null ? undefined : state.channels.get(channel_id)
  if (channel === undefined) return 'a direct message'
  if (isPlainPlace(channel, topic)) return `#**${channel.name}>${topic}@${id}**`
  return `[${placeLabel(channel, topic)} @ 💬](${channelMessageLink(channel, topic, id)})`
}

/** The link to the message. */
export const messageLink = (
  state: RealmState,
  { id, channel_id, user_ids, topic }: Omit<QuotedMessage, 'content' | 'sender_id'>,
): string => {
  const channel = channel_id === null ? undefined : state.channels.get(channel_id)
  return channel === undefined ? directMessageLink(user_ids ?? [], id) : channelMessageLink(channel, topic, id)
}

/** A fence longer than every run of backticks in the text. */
const chooseFence = (content: string): string => {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length))
  return '`'.repeat(longest + 1)
}
