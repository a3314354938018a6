/**
 * A channel's first message. Every user who sees the channel knows its id, also where the history is protected or the
 * user may not read it (protocol/endpoints.md 1.18).
 */

import type { NewEntry } from '../log/entry.js'
import type { ChannelRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { metadataAudience } from '../permissions/channel-access.js'
import { channelUpdated } from './channel-entries.js'

/** The first message changed; null means that there is none. Every replica takes the value from the entry. */
export const firstMessageEntry = (state: RealmState, channel: ChannelRow, value: number | null): NewEntry => {
  const { id: stream_id, name, is_archived } = channel
  const to = metadataAudience(state, channel)
  return channelUpdated({ to, stream_id, name, is_archived, property: 'first_message_id', value })
}
