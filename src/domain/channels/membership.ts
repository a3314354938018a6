/**
 * Users subscribe to and unsubscribe from channels: the row changes, and the entries in their order.
 *
 * 1. The event that makes a channel visible precedes every other event about it; the event that hides it comes last.
 * 2. The row changes are attached to the first entry whose audience must be resolved after the change: an audience of
 *    a channel's subscribers means the subscribers after the change.
 * 3. A user never receives peer_add or peer_remove for their own subscription.
 * 4. The event that makes a channel visible counts the subscribers before the change: clients add the users of the
 *    following peer_add to `subscriber_count` themselves.
 * 5. The work and the log grow with the number of users; the number of entries grows only with the number of distinct
 *    events.
 *
 * Source: protocol/permissions.md 9.1, protocol/events.md 3.2 and 4.10.
 */

import { hasMetadataAccess, isSeenFromOutside } from '#rules/channel-access.js'
import { isGuest } from '#rules/roles.js'
import { limits } from '../limits/limits.js'
import { AllUsers, type Audience, type NewEntry, NonGuests } from '../log/entry.js'
import { toRanges } from '../log/id-ranges.js'
import { composeInsert, composeUpdate, type RowChange } from '../log/row-changes.js'
import type { ChannelRow, SubscriptionRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { groupViewers, metadataAudience } from '../permissions/channel-access.js'
import { errors } from '../protocol/errors.js'
import { channelsCreated, channelsDeleted } from './channel-entries.js'
import { type ChannelObject, channelOnWire, chooseColor, composeSubscription, settingsOnWire } from './channels.js'
import {
  type CompactSubscription,
  type Peers,
  peersAdded,
  peersRemoved,
  subscriptionsAdded,
  subscriptionsRemoved,
} from './subscription-entries.js'

/** The users who subscribe to, or unsubscribe from, each channel. Every list holds a user once. */
export type MembershipChanges = readonly { channel: ChannelRow; users: readonly UserRow[] }[]

/** Throws BAD_REQUEST when one request would change too many subscriptions. */
export const checkSubscriptionCount = (subscriptions: number): void => {
  if (subscriptions <= limits.max_subscriptions_at_once) return
  throw errors.badRequest('This request makes too many subscriptions: send fewer channels or fewer users.')
}

/**
 * Finds, for each channel, the users who are subscribed, or who are not. With `subscribed`, their subscription is
 * active; without it, it is not.
 */
export const findMembershipChanges = (
  state: RealmState,
  channels: readonly ChannelRow[],
  users: readonly UserRow[],
  subscribed: boolean,
): MembershipChanges =>
  channels.flatMap((channel) => {
    const moved = users.filter((user) => state.isSubscribed(user.id, channel.id) === subscribed)
    return moved.length === 0 ? [] : [{ channel, users: moved }]
  })

/** The pairs of channels and users that the changes do not contain. */
export const findUnchangedMemberships = (
  channels: readonly ChannelRow[],
  users: readonly UserRow[],
  moves: MembershipChanges,
): MembershipChanges => {
  const moved = new Map(moves.map((move) => [move.channel, new Set(move.users)]))
  return channels.flatMap((channel) => {
    const rest = users.filter((user) => moved.get(channel)?.has(user) !== true)
    return rest.length === 0 ? [] : [{ channel, users: rest }]
  })
}

/** The channels by user. */
export const groupByUser = (moves: MembershipChanges): Map<UserRow, ChannelRow[]> => {
  const channels = new Map<UserRow, ChannelRow[]>()
  for (const { channel, users } of moves) {
    for (const user of users) {
      const own = channels.get(user)
      if (own === undefined) channels.set(user, [channel])
      else own.push(channel)
    }
  }
  return channels
}

export interface JoinOptions {
  /** channels that this same change creates: `announceChannels` announces them */
  created?: ReadonlySet<number>
  /** the color that the caller chose for a channel */
  colors?: ReadonlyMap<number, string>
  /** this same change creates the users: they have no event queue yet */
  newcomers?: boolean
}

/** The entries of users who subscribe, with the row changes. Throws an Error for a user who is subscribed already. */
export const joinChannels = (state: RealmState, moves: MembershipChanges, options: JoinOptions = {}): NewEntry[] => {
  const rows: RowChange[] = []
  const folded = new Map<number, ChannelObject & Pick<CompactSubscription, 'subscribers'>>()
  for (const { channel, users } of moves) {
    const after = new Set(state.subscribers(channel.id))
    for (const user of users) after.add(user.id)
    folded.set(channel.id, { ...channelOnWire(state, channel, after.size), subscribers: toRanges(after) })
  }

  // One entry for all users whose event would be the same (5).
  const groups = new Map<string, { users: number[]; subscriptions: CompactSubscription[] }>()
  for (const [user, channels] of groupByUser(moves)) {
    const used = new Set<string>()
    for (const { active, color } of state.userSubscriptions(user.id).values()) if (active) used.add(color)
    const own = channels.map((channel) => {
      const { row, change } = makeSubscription(state, user.id, channel.id, used, options.colors?.get(channel.id))
      rows.push(change)
      return { id: channel.id, settings: settingsOnWire(row) }
    })
    if (options.newcomers) continue
    const key = JSON.stringify(own)
    const group = groups.get(key)
    if (group !== undefined) {
      group.users.push(user.id)
      continue
    }
    const subscriptions = own.map(({ id, settings }) => ({ ...folded.get(id), ...settings }) as CompactSubscription)
    groups.set(key, { users: [user.id], subscriptions })
  }

  const seen = moves.flatMap(({ channel, users }) => {
    if (options.created?.has(channel.id) || options.newcomers) return []
    const strangers = users.filter((user) => !hasMetadataAccess(state, user, channel)).map(({ id }) => id)
    if (strangers.length === 0) return []
    return channelsCreated({ to: { users: strangers }, streams: [channelOnWire(state, channel)] })
  })
  const additions = [...groups.values()].map((group) => subscriptionsAdded(group))
  const peers = groupPeers(state, moves).map((group) => peersAdded(group))
  return attachRows([...seen, ...additions, ...peers], rows, seen.length)
}

/** The entries of users who unsubscribe from channels, with the row changes. */
export const leaveChannels = (state: RealmState, moves: MembershipChanges): NewEntry[] => {
  const rows = moves.flatMap(({ channel, users }) =>
    users.flatMap(({ id }) => {
      const row = findSubscription(state, id, channel.id)
      return (row && composeUpdate('subscriptions', row, { active: false })) ?? []
    }),
  )
  const removed = new Map<string, { users: number[]; channels: ChannelRow[] }>()
  const lost = new Map<string, { users: number[]; channels: ChannelRow[] }>()
  for (const [user, channels] of groupByUser(moves)) {
    addToGroup(removed, user, channels)
    addToGroup(
      lost,
      user,
      channels.filter((channel) => !isSeenFromOutside(state, user, channel)),
    )
  }
  const peers = groupPeers(state, moves).map((group) => peersRemoved(group))
  const removals = [...removed.values()].map(({ users, channels }) =>
    subscriptionsRemoved({ users, subscriptions: channels.map(channelReference) }),
  )
  const hidings = [...lost.values()].map(({ users, channels }) =>
    channelsDeleted({ to: { users }, streams: channels.map(channelReference) }),
  )
  return attachRows([...peers, ...removals, ...hidings], rows, 0)
}

/**
 * Composes the entries that announce new channels. They go to the users who see the channels without a subscription,
 * and to the first subscribers. All channels with the same audience share one entry. The first entry has the row
 * changes.
 * @param members the users whom the same change subscribes
 */
export const announceChannels = (
  state: RealmState,
  channels: readonly ChannelRow[],
  members: readonly UserRow[],
  rows: readonly RowChange[],
): NewEntry[] => {
  const groups = new Map<string, { to: Audience; streams: ChannelObject[] }>()
  for (const channel of channels) {
    const to = announcementAudience(state, channel, members)
    const key = JSON.stringify(to)
    const group = groups.get(key) ?? { to, streams: [] }
    groups.set(key, group)
    group.streams.push(channelOnWire(state, channel))
  }
  return attachRows(
    [...groups.values()].map((group) => channelsCreated(group)),
    rows,
    0,
  )
}

const announcementAudience = (state: RealmState, channel: ChannelRow, members: readonly UserRow[]): Audience => {
  if (channel.is_web_public) return AllUsers
  const outside = channel.invite_only ? groupViewers(state, channel) : NonGuests
  const inside = members.filter((user) => channel.invite_only || isGuest(user)).map(({ id }) => id)
  const users = new Set([...(outside.users ?? []), ...inside])
  return users.size === 0 ? outside : { ...outside, users: [...users].sort((a, b) => a - b) }
}

/**
 * Groups the channels of membership changes into events. One event has all channels with the same audience and the same
 * subscribing users.
 */
export const groupPeers = (state: RealmState, moves: MembershipChanges): Peers[] => {
  const groups = new Map<
    string,
    { to: Audience; users: readonly number[]; streams: { stream_id: number; is_archived: boolean }[] }
  >()
  for (const { channel, users } of moves) {
    const to = metadataAudience(state, channel)
    const ranges = toRanges(users.map(({ id }) => id))
    const key = JSON.stringify([to, ranges])
    const stream = { stream_id: channel.id, is_archived: channel.is_archived }
    const group = groups.get(key)
    if (group !== undefined) group.streams.push(stream)
    else groups.set(key, { to, users: ranges, streams: [stream] })
  }
  return [...groups.values()]
}

/** The row of a new subscriber: the former subscription with its settings, or a new one. Adds its color to `used`. */
const makeSubscription = (
  state: RealmState,
  user_id: number,
  channel_id: number,
  used: Set<string>,
  chosen: string | undefined,
): { row: SubscriptionRow; change: RowChange } => {
  const previous = findSubscription(state, user_id, channel_id)
  const color = chosen ?? previous?.color ?? chooseColor(channel_id, used)
  used.add(color)
  if (previous === undefined) {
    const row = composeSubscription(user_id, channel_id, color)
    return { row, change: composeInsert('subscriptions', row) }
  }
  const change = composeUpdate('subscriptions', previous, { active: true, color })
  if (change === undefined) throw new Error(`user ${user_id} is in channel ${channel_id} already`)
  return { row: { ...previous, active: true, color }, change }
}

/** The subscription's row, active or ended. */
export const findSubscription = (
  state: RealmState,
  user_id: number,
  channel_id: number,
): SubscriptionRow | undefined => {
  const settings = state.userSubscriptions(user_id).get(channel_id)
  return settings === undefined ? undefined : { user_id, channel_id, ...settings }
}

const channelReference = ({ id, name, is_archived }: ChannelRow) => ({ stream_id: id, name, is_archived })

/** Adds the user to the group of exactly these channels; does nothing for an empty list. */
const addToGroup = (
  groups: Map<string, { users: number[]; channels: ChannelRow[] }>,
  user: UserRow,
  channels: ChannelRow[],
): void => {
  if (channels.length === 0) return
  const key = channels.map(({ id }) => id).join()
  const group = groups.get(key)
  if (group !== undefined) group.users.push(user.id)
  else groups.set(key, { users: [user.id], channels })
}

/** Attaches the row changes to the entry at `index`. */
const attachRows = (entries: NewEntry[], rows: readonly RowChange[], index: number): NewEntry[] =>
  entries.map((entry, i) => (i === index && rows.length > 0 ? { ...entry, rows } : entry))
