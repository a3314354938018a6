/** Links to messages, relative to the organization's address. Source: messages.md 6.4. */

import type { ChannelRow } from '../log/rows.js'
import { encodeHash } from '../markdown/channel-links.js'

/** The link to a channel message. */
export const channelMessageLink = ({ id, name }: ChannelRow, topic: string, message_id: number): string =>
  `#narrow/channel/${id}-${encodeHash(name.replaceAll(' ', '-'))}/topic/${encodeHash(topic)}/near/${message_id}`

/** The link to a direct message of these users, the reader included. */
export const directMessageLink = (user_ids: readonly number[], message_id: number): string =>
  `#narrow/dm/${user_ids.join()}-pm/near/${message_id}`
