/** Where clients show a message, as an address below the organization's. Source: messages.md 6.4. */

import type { ChannelRow } from '../log/rows.js'
import { encodeHash } from '../markdown/channel-links.js'

/** The address of a message of a channel. */
export const channelMessageLink = ({ id, name }: ChannelRow, topic: string, message_id: number): string =>
  `#narrow/channel/${id}-${encodeHash(name.replaceAll(' ', '-'))}/topic/${encodeHash(topic)}/near/${message_id}`

/** The address of a direct message among these people, whoever reads it included. */
export const directMessageLink = (user_ids: readonly number[], message_id: number): string =>
  `#narrow/dm/${user_ids.join()}-pm/near/${message_id}`
