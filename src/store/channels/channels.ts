/**
 * Creating channels and subscribing users to them, in one change.
 *
 * The order of the entries is the order in which clients need them: the channel, the default channels, its subscribers.
 */

import { defaultChannelsChanged } from '../../domain/channels/channel-entries.js'
import { announceChannels, findMembershipChanges } from '../../domain/channels/membership.js'
import { channelRows } from '../../domain/channels/new-channels.js'
import type { ChannelRow, UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { type Change, combineChanges, entriesChange } from '../log/change.js'
import { joinChanges } from './subscriptions.js'

export interface ChannelJoin {
  users: readonly UserRow[]
  /** channels that exist already; users who are subscribed stay as they are */
  existing: readonly ChannelRow[]
  /** rows of channels that this change creates */
  created: readonly ChannelRow[]
  /** new accounts are subscribed to the created channels */
  areDefault?: boolean
  /** the colours that the caller chose, by channel */
  colors?: ReadonlyMap<number, string>
}

/**
 * Composes the change that creates channels and subscribes users. The users are subscribed to these and to existing
 * channels.
 */
export const createAndJoinChanges = (state: RealmState, joining: ChannelJoin): Change => {
  const { users, existing, created, areDefault = false, colors } = joining
  const appearing = announceChannels(state, created, users, channelRows(state, created, areDefault))
  const ids = created.map(({ id }) => id)
  const defaults = [...state.defaultChannels, ...ids].sort((a, b) => a - b)
  const madeDefault = areDefault && ids.length > 0 ? [defaultChannelsChanged({ default_streams: defaults })] : []
  const moves = findMembershipChanges(state, [...existing, ...created], users, false)
  const joins = joinChanges(state, moves, { created: new Set(ids), ...(colors === undefined ? {} : { colors }) })
  return combineChanges([entriesChange([...appearing, ...madeDefault]), joins])
}
