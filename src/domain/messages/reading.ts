/**
 * Who may read which messages.
 *
 * 1. Whoever received a message (as a subscriber when it was sent, as a participant, or by a row of flags) may read it
 *    as long as they have access to the content of its channel.
 * 2. Where history is shared, content access alone is enough.
 *
 * Source: messages.md 1.6 and 2.4, permissions.md 6.1 and 8.3.
 */

import type { ChannelRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { hasContentAccess } from '../permissions/channel-access.js'

/** Whether the reader may read messages of the channel that they never received (2). */
export const readsHistory = (state: RealmState, reader: UserRow, channel: ChannelRow): boolean =>
  channel.history_public_to_subscribers && hasContentAccess(state, reader, channel)

/** What decides who may read one message. */
export interface Found {
  channel_id: number | null
  /** whether the reader received it, or gained it later */
  received: boolean
}

/** Whether the reader may read a message (1, 2). */
export const mayRead = (state: RealmState, reader: UserRow, { channel_id, received }: Found): boolean => {
  if (channel_id === null) return received
  const channel = state.channels.get(channel_id)
  if (channel === undefined || !hasContentAccess(state, reader, channel)) return false
  return received || channel.history_public_to_subscribers
}

/** Ids of the channels to whose content the reader has access now. */
export const readableChannels = (state: RealmState, reader: UserRow): number[] => {
  const ids: number[] = []
  for (const channel of state.channels.values()) if (hasContentAccess(state, reader, channel)) ids.push(channel.id)
  return ids
}

/** Ids of the channels the reader has muted. */
export const mutedChannels = (state: RealmState, reader: UserRow): number[] => {
  const ids: number[] = []
  for (const [channel_id, { active, is_muted }] of state.subscriptionsOf(reader.id)) {
    if (active && is_muted) ids.push(channel_id)
  }
  return ids
}
