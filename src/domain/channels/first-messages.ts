/**
 * A channel's first message, and which users may know its id.
 *
 * The id tells that there is a message, and where the history begins. So only users who may read the whole history see
 * it. For other users (an administrator who is not subscribed to a private channel; every user where history is
 * protected) the channel looks like one without messages.
 */

import type { Audience, NewEntry } from '../log/entry.js'
import { type ChannelRow, Role, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { hasContentAccess, metadataAudience } from '../permissions/channel-access.js'
import { nonGuestHolders } from '../permissions/permissions.js'
import { channelUpdated } from './channel-entries.js'

/** Whether the viewer may know the first message; a null viewer is a spectator. */
export const showsFirstMessage = (state: RealmState, viewer: UserRow | null, channel: ChannelRow): boolean =>
  channel.history_public_to_subscribers &&
  (viewer === null ? channel.is_web_public : hasContentAccess(state, viewer, channel))

/** The users for whom `showsFirstMessage` is true. */
const historyReaders = (state: RealmState, channel: ChannelRow): Audience => {
  if (!channel.history_public_to_subscribers) return { users: [] }
  if (!channel.invite_only) return metadataAudience(state, channel)
  const groups = [channel.can_subscribe_group, channel.can_add_subscribers_group]
  const { weakest, users } = nonGuestHolders(state, groups)
  return {
    channel: channel.id,
    ...(weakest >= Role.owner ? { roles: [Role.owner, weakest] as const } : {}),
    ...(users.size > 0 ? { users: [...users].sort((a, b) => a - b) } : {}),
  }
}

/** The first message changed; null means that there is none. Every replica takes the value from the entry. */
export const firstMessageEntry = (state: RealmState, channel: ChannelRow, value: number | null): NewEntry => {
  const { id: stream_id, name, is_archived } = channel
  const to = historyReaders(state, channel)
  return channelUpdated({ to, stream_id, name, is_archived, property: 'first_message_id', value })
}

/** Shows or hides the first message for the readers of a channel whose history becomes shared or protected. */
export const firstMessageVisibilityEntries = (
  before: RealmState,
  was: ChannelRow,
  after: RealmState,
  channel: ChannelRow,
): NewEntry[] => {
  const isShown = channel.history_public_to_subscribers
  const first = after.firstMessage.get(channel.id)
  if (was.history_public_to_subscribers === isShown || first === undefined) return []
  const { id: stream_id, name, is_archived } = channel
  const to = isShown ? historyReaders(after, channel) : historyReaders(before, was)
  const value = isShown ? first : null
  return [channelUpdated({ to, stream_id, name, is_archived, property: 'first_message_id', value, only_shown: true })]
}
