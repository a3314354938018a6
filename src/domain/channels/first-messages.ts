/**
 * A channel's first message, and who is told which it is.
 *
 * Its id says that there is a message, and where history begins: so it is shown to those who may read it whatever they
 * received. To others (an administrator who is not in a private channel; anyone where history is protected) the
 * channel looks like one without messages.
 */

import type { Audience, NewEntry } from '../log/entry.js'
import { type ChannelRow, Role, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { hasContentAccess, seenBy } from '../permissions/channel-access.js'
import { nonGuestHolders } from '../permissions/permissions.js'
import { channelUpdated } from './channel-entries.js'

/** Whether the viewer is told of it; null: a spectator. */
export const showsFirstMessage = (state: RealmState, viewer: UserRow | null, channel: ChannelRow): boolean =>
  channel.history_public_to_subscribers &&
  (viewer === null ? channel.is_web_public : hasContentAccess(state, viewer, channel))

/** Everyone of whom that is so. */
const historyReaders = (state: RealmState, channel: ChannelRow): Audience => {
  if (!channel.history_public_to_subscribers) return { users: [] }
  if (!channel.invite_only) return seenBy(state, channel)
  const groups = [channel.can_subscribe_group, channel.can_add_subscribers_group]
  const { weakest, users } = nonGuestHolders(state, groups)
  return {
    channel: channel.id,
    ...(weakest >= Role.owner ? { roles: [Role.owner, weakest] as const } : {}),
    ...(users.size > 0 ? { users: [...users].sort((a, b) => a - b) } : {}),
  }
}

/** Another message is the first; null: there is none any more. Every replica takes it from the entry, whoever is told. */
export const firstMessageChanged = (state: RealmState, channel: ChannelRow, value: number | null): NewEntry => {
  const { id: stream_id, name, is_archived } = channel
  const to = historyReaders(state, channel)
  return channelUpdated({ to, stream_id, name, is_archived, property: 'first_message_id', value })
}

/** What the first message becomes to those who read the channel when its history is shared or protected. */
export const firstMessageShown = (
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
