/**
 * Links to channels, topics and messages: the fragments of addresses, and their form in Markdown.
 *
 * Fragments are those of Zulip's links, so that a link opens in every client. Source: protocol/messages.md 6.4.
 */
import { emptyTopicName } from './topics.js'

/** What a link says of a channel. */
export interface LinkedChannel {
  readonly id: number
  readonly name: string
}

/**
 * Encodes text as a part of a fragment. The encoding is that of a URL, with a dot instead of the percent sign, so that
 * a fragment survives being pasted anywhere.
 */
export const encodePart = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[.!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.')

/** Decodes a part of a fragment; undefined if it is not encoded correctly. */
export const decodePart = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part.replaceAll('.', '%'))
  } catch {
    return undefined
  }
}

/** A thing by id, with its name for readers: `3-general`. */
export const slug = (id: number, name: string): string => `${id}-${encodePart(name.replaceAll(' ', '-'))}`

/** The fragment of a channel. */
export const channelFragment = ({ id, name }: LinkedChannel): `#${string}` => `#narrow/channel/${slug(id, name)}`

/** The fragment of a topic. */
export const topicFragment = (channel: LinkedChannel, topic: string): `#${string}` =>
  `${channelFragment(channel)}/topic/${encodePart(topic)}`

/** The fragment of a message in a topic. */
export const messageFragment = (channel: LinkedChannel, topic: string, message_id: number | string): `#${string}` =>
  `${topicFragment(channel, topic)}/near/${message_id}`

/** The fragment of a direct message of these users. The reader is one of them. */
export const directMessageFragment = (user_ids: readonly number[], message_id: number): `#${string}` =>
  `#narrow/dm/${user_ids.join()}-pm/near/${message_id}`

/** What ends a mention, what has a higher precedence than a mention, and entities. */
const syntaxInMention = /[*`]|\$\$|&#?[0-9a-z]+;/i

/** Whether a mention can contain the name. */
export const isPlainName = (name: string): boolean => !syntaxInMention.test(name)

const isPlainChannel = ({ name }: LinkedChannel): boolean => isPlainName(name) && !name.includes('>')

/** Whether a link such as `#**channel>topic**` can contain the names. */
export const isPlainTopic = (channel: LinkedChannel, topic: string): boolean =>
  isPlainChannel(channel) && isPlainName(topic)

/** The text of a link, in which no character is syntax. */
const escapeLabel = (text: string): string =>
  text.replace(/[&<>`*[\]$\\]/g, (character) => `&#${character.charCodeAt(0)};`)

/** The label of a link to a topic. @param shown the name of the topic for readers */
export const topicLabel = (
  { name }: LinkedChannel,
  topic: string,
  shown = topic === '' ? emptyTopicName : topic,
): string => `#${escapeLabel(name)} &gt; ${escapeLabel(shown)}`

/**
 * Composes the link to a channel in Markdown. The link has an address, if the name of the channel has syntax of its
 * own.
 */
export const channelLink = (channel: LinkedChannel): string =>
  isPlainChannel(channel) ? `#**${channel.name}**` : `[#${escapeLabel(channel.name)}](${channelFragment(channel)})`

/** The link to a topic in Markdown. @param shown the name of the topic for readers */
export const topicLink = (channel: LinkedChannel, topic: string, shown?: string): string =>
  // `#**channel>topic@5**` is a link to message 5.
  isPlainTopic(channel, topic) && !/@\d+$/.test(topic)
    ? `#**${channel.name}>${topic}**`
    : `[${topicLabel(channel, topic, shown)}](${topicFragment(channel, topic)})`
