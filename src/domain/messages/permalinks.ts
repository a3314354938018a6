/** Links to messages, relative to the organization's address. Source: messages.md 6.4. */

import type { ChannelRow } from '../log/rows.js'
import { encodeHash } from '../markdown/inline/channel-links.js'

/** The link to a channel. */
export const channelLink = ({ id, name }: ChannelRow): string =>
  `#narrow/channel/${id}-${encodeHash(name.replaceAll(' ', '-'))}`

/** The link to a topic of a channel. */
export const topicLink = (channel: ChannelRow, topic: string): string =>
  `${channelLink(channel)}/topic/${encodeHash(topic)}`

/** The link to a channel message. */
export const channelMessageLink = (channel: ChannelRow, topic: string, message_id: number): string =>
  `${topicLink(channel, topic)}/near/${message_id}`

/** The link to a direct message of these users, the reader included. */
export const directMessageLink = (user_ids: readonly number[], message_id: number): string =>
  `#narrow/dm/${user_ids.join()}-pm/near/${message_id}`
