/**
 * Quotations and mentions in the Markdown of messages that the server sends. Links: rules/src/links.ts.
 *
 * Names of channels, topics and groups can contain characters that end a mention or are syntax of their own. Such a
 * name is written in a link with an address, or as code.
 */

import { directMessageFragment, isPlainName, isPlainTopic, messageFragment, topicLabel } from '#rules/links.js'
import type { Texts } from '#rules/texts.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'

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

/**
 * Composes a mention of the group in Markdown that sends no notification. Returns its name as code, if a mention cannot
 * contain it.
 */
export const silentGroupMention = (name: string): string => (isPlainName(name) ? `@_*${name}*` : quoteLiterally(name))

/** Returns the text as inline code. In code, a name that looks like a mention does not notify. */
export const quoteLiterally = (name: string): string => {
  const longest = Math.max(0, ...(name.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `\`${name}\`` : `${fence} ${name} ${fence}`
}

/** The message as a quotation, with its sender and a link to it. @param t the texts of notices */
export const quoteMessage = (t: Texts, state: RealmState, message: QuotedMessage): string => {
  const sender = state.users.get(message.sender_id)
  const values = { link: messageLink(state, message), quote: quoteText(message.content) }
  return sender === undefined
    ? t('A deleted user [said]({link}):\n{quote}', values)
    : t('{user} [said]({link}):\n{quote}', { ...values, user: silentMention(sender) })
}

/** The text as a quotation in Markdown. */
export const quoteText = (content: string): string => {
  const fence = chooseFence(content)
  return `${fence}quote\n${content}\n${fence}`
}

/** A reference to a message of a channel in Markdown, for a sentence. Returns undefined for a direct message. */
export const messageMention = (state: RealmState, { id, channel_id, topic }: QuotedMessage): string | undefined => {
  const channel = channel_id === null ? undefined : state.channels.get(channel_id)
  if (channel === undefined) return undefined
  if (isPlainTopic(channel, topic)) return `#**${channel.name}>${topic}@${id}**`
  return `[${topicLabel(channel, topic)} @ 💬](${messageFragment(channel, topic, id)})`
}

/** The link to the message. */
export const messageLink = (
  state: RealmState,
  { id, channel_id, user_ids, topic }: Omit<QuotedMessage, 'content' | 'sender_id'>,
): string => {
  const channel = channel_id === null ? undefined : state.channels.get(channel_id)
  return channel === undefined ? directMessageFragment(user_ids ?? [], id) : messageFragment(channel, topic, id)
}

/** A fence longer than every run of backticks in the text. */
const chooseFence = (content: string): string => {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length))
  return '`'.repeat(longest + 1)
}
