/**
 * Permission to read messages.
 *
 * 1. A user who received a message (as a subscriber when it was sent, as a participant, or by a row of flags) may read
 *    it while the user has access to the content of its channel.
 * 2. Where history is shared, content access alone is enough.
 *
 * Source: protocol/messages.md 1.6 and 2.4, protocol/permissions.md 6.1 and 8.3.
 */

import { hasContentAccess } from '#rules/channel-access.js'
import type { ChannelRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'

/** Whether the reader may read messages of the channel without receiving them (2). */
export const canReadHistory = (state: RealmState, reader: UserRow, channel: ChannelRow): boolean =>
  channel.history_public_to_subscribers && hasContentAccess(state, reader, channel)

/** The facts that decide whether a reader may read one message. */
export interface MessageAccess {
  channel_id: number | null
  /** whether the reader received it, or gained it later */
  received: boolean
}

/** Whether the reader may read a message (1, 2). */
export const canRead = (state: RealmState, reader: UserRow, { channel_id, received }: MessageAccess): boolean => {
  if (channel_id === null) return received
  const channel = state.channels.get(channel_id)
  if (channel === undefined || !hasContentAccess(state, reader, channel)) return false
  return received || channel.history_public_to_subscribers
}

/** Ids of the channels whose content the reader may access now. */
export const readableChannels = (state: RealmState, reader: UserRow): number[] => {
  const ids: number[] = []
  for (const channel of state.channels.values()) if (hasContentAccess(state, reader, channel)) ids.push(channel.id)
  return ids
}

/** Ids of the channels that the reader has muted. */
export const mutedChannels = (state: RealmState, reader: UserRow): number[] => {
  const ids: number[] = []
  for (const [channel_id, { active, is_muted }] of state.userSubscriptions(reader.id)) {
    if (active && is_muted) ids.push(channel_id)
  }
  return ids
}
