/**
 * Creating channels and subscribing users to them, in one change.
 *
 * The order of the entries is the order in which clients need them: the channel, the default channels, its subscribers.
 */

import { defaultChannelsChanged } from '../../domain/channels/channel-entries.js'
import { announceChannel, findMembershipChanges } from '../../domain/channels/membership.js'
import { channelRows, checkedName, newChannels, plainOptions } from '../../domain/channels/new-channels.js'
import type { ChannelRow, UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { joinLines } from '../../domain/rendering/names-and-descriptions.js'
import { type Change, combineChanges, commit, entriesChange } from '../log/change.js'
import type { Realm } from '../log/realm.js'
import { WriteContext, type WriteDependencies } from '../log/write-context.js'
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

/** The change that creates channels and subscribes users to these and to existing channels. */
export const createAndJoinChanges = (state: RealmState, joining: ChannelJoin): Change => {
  const { users, existing, created, areDefault = false, colors } = joining
  const appearing = created.map((channel) =>
    announceChannel(state, channel, users, channelRows(state, channel, areDefault)),
  )
  const ids = created.map(({ id }) => id)
  const defaults = [...state.defaultChannels, ...ids].sort((a, b) => a - b)
  const madeDefault = areDefault && ids.length > 0 ? [defaultChannelsChanged({ default_streams: defaults })] : []
  const moves = findMembershipChanges(state, [...existing, ...created], users, false)
  const joins = joinChanges(state, moves, { created: new Set(ids), ...(colors === undefined ? {} : { colors }) })
  return combineChanges([entriesChange([...appearing, ...madeDefault]), joins])
}

/**
 * Creates a channel for the system itself: without a permission check and without notices.
 * @returns its id
 */
export const createChannel = (
  dependencies: WriteDependencies,
  realm: Realm,
  wanted: {
    name: string
    description?: string
    creator?: UserRow
    members?: readonly UserRow[]
    is_default?: boolean
    options?: Partial<typeof plainOptions>
  },
): Promise<number> =>
  realm.withStructureLock(async () => {
    const context = WriteContext.open(dependencies, realm)
    const { state } = realm
    const named = { name: checkedName(wanted.name), description: joinLines(wanted.description ?? '') }
    const created = newChannels(state, wanted.creator, [named], { ...plainOptions, ...wanted.options })
    const joining = { users: wanted.members ?? [], existing: [], created, areDefault: wanted.is_default ?? false }
    await commit(context, createAndJoinChanges(state, joining))
    return created[0]?.id ?? 0
  })
