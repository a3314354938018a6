/**
 * Which deleted messages can be restored, and by whom.
 *
 * 1. An administrator lists and restores the messages that they could read if these were not deleted. Direct messages
 *    are for operators only, because no administrator reads those of others.
 * 2. A message whose retention time is over is not restored: it would be deleted again within the hour. The settings of
 *    now decide.
 * 3. An archived channel gets no message.
 *
 * Source: protocol/messages.md 4.8.
 */

import { DAY } from '#rules/time.js'
import type { UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { errors } from '../../protocol/errors.js'
import { readableChannels } from '../reading.js'

/** Days for which a deleted message is kept. */
export const KEPT_DAYS = 30

/** Where messages can be restored. */
export interface RestorablePlaces {
  channel_ids: number[]
  /** for each of these channels: messages of before are past their retention time, in UNIX seconds (2) */
  channels_since: number[]
  /** those of the channels in which this user reads only what they received */
  protected_channel_ids: number[]
  /** the same time of direct messages; null: they are not to be restored by this user (1) */
  direct_since: number | null
}

/** Finds where this administrator restores messages (1, 2). Undefined: an operator does. */
export const findRestorablePlaces = (state: RealmState, user: UserRow | undefined, now: number): RestorablePlaces => {
  const since = (days: number) => (days > 0 ? now - days * DAY : 0)
  const ofRealm = state.settings.message_retention_days
  const channel_ids = user === undefined ? [...state.channels.keys()] : readableChannels(state, user)
  const channels = channel_ids.flatMap((id) => state.channels.get(id) ?? [])
  return {
    channel_ids,
    channels_since: channels.map(({ message_retention_days }) => since(message_retention_days ?? ofRealm)),
    protected_channel_ids: channels.flatMap(({ id, history_public_to_subscribers: isShared }) =>
      user === undefined || isShared ? [] : [id],
    ),
    direct_since: user === undefined ? since(ofRealm) : null,
  }
}

/** Refuses to restore messages in an archived channel (3). Throws BAD_REQUEST. */
export const checkChannelsAreOpen = (state: RealmState, channel_ids: Iterable<number | null>): void => {
  for (const id of channel_ids) {
    const channel = id === null ? undefined : state.channels.get(id)
    if (channel?.is_archived !== true) continue
    throw errors.badRequest('#{name} is archived: take it out of the archive before you restore messages.', {
      name: channel.name,
    })
  }
}
