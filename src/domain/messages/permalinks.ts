/** Links to messages, relative to the organization's address. Source: protocol/messages.md 6.4. */

import { topicFragment } from '#rules/links.js'
import type { ChannelRow } from '../log/rows.js'

/** The link to a channel message. */
export const channelMessageLink = (channel: ChannelRow, topic: string, message_id: number): string =>
  `${topicFragment(channel, topic)}/near/${message_id}`

/** The link to a direct message of these users, the reader included. */
export const directMessageLink = (user_ids: readonly number[], message_id: number): string =>
  `#narrow/dm/${user_ids.join()}-pm/near/${message_id}`
