/**
 * People join and leave channels: the rows that say so, and who is told what, in which order.
 *
 * 1. A channel comes into sight before anything is said of it, and goes out of sight after everything was.
 * 2. The rows ride on the entry that tells those who join, or the others that they left: an audience that names a
 *    channel's subscribers means those after the change.
 * 3. Nobody is told of their own joining or leaving as of a peer's.
 * 4. A channel comes into sight with the subscribers it had until then: clients add those who are told of next to
 *    `subscriber_count` by themselves.
 * 5. Work and log grow with the number of people, entries only with the number of different things to say.
 *
 * Source: permissions.md 9.1, events.md 3.2 and 4.10.
 */

import { limits } from '../limits/limits.js'
import { type Audience, Everyone, type NewEntry, NonGuests } from '../log/entry.js'
import { toRanges } from '../log/id-ranges.js'
import { inserted, type RowChange, updated } from '../log/row-changes.js'
import type { ChannelRow, SubscriptionRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { hasMetadataAccess, isSeenFromOutside, seenBy, seenThroughGroups } from '../permissions/channel-access.js'
import { isGuest } from '../permissions/permissions.js'
import { errors } from '../protocol/errors.js'
import { channelsCreated, channelsDeleted } from './channel-entries.js'
import { type ChannelObject, channelOnWire, colorFor, newSubscription, settingsOnWire } from './channels.js'
import {
  type FoldedSubscription,
  type Peers,
  peersAdded,
  peersRemoved,
  subscriptionsAdded,
  subscriptionsRemoved,
} from './subscription-entries.js'

/** Users by channel: who joins or leaves each one. Every list is of different users who are not, or are, in it. */
export type Movement = readonly { channel: ChannelRow; users: readonly UserRow[] }[]

/** Throws when one request would move too many people in or out of channels. */
export const checkCount = (subscriptions: number): void => {
  if (subscriptions <= limits.max_subscriptions_at_once) return
  throw errors.badRequest('These are too many subscriptions at once: name fewer channels, or fewer people.')
}

/** Those of the users who are not subscribed yet, or are, for each channel. */
export const movement = (
  state: RealmState,
  channels: readonly ChannelRow[],
  users: readonly UserRow[],
  subscribed: boolean,
): Movement =>
  channels.flatMap((channel) => {
    const moved = users.filter((user) => state.isSubscribed(user.id, channel.id) === subscribed)
    return moved.length === 0 ? [] : [{ channel, users: moved }]
  })

/** The pairs of channels and users that the moves leave as they are. */
export const unmoved = (channels: readonly ChannelRow[], users: readonly UserRow[], moves: Movement): Movement => {
  const moved = new Map(moves.map((move) => [move.channel, new Set(move.users)]))
  return channels.flatMap((channel) => {
    const rest = users.filter((user) => moved.get(channel)?.has(user) !== true)
    return rest.length === 0 ? [] : [{ channel, users: rest }]
  })
}

/** The same by user. */
export const byUser = (moves: Movement): Map<UserRow, ChannelRow[]> => {
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
  /** channels of the movement that this same change creates: announced by `channelAppears` */
  created?: ReadonlySet<number>
  /** a colour by channel, where the caller chose one */
  colors?: ReadonlyMap<number, string>
  /** the users were created by this same change: they have no queue that could hear of it */
  newcomers?: boolean
}

/** The entries of people joining channels, rows included. */
export const joined = (state: RealmState, moves: Movement, options: JoinOptions = {}): NewEntry[] => {
  const rows: RowChange[] = []
  const folded = new Map<number, ChannelObject & Pick<FoldedSubscription, 'subscribers'>>()
  for (const { channel, users } of moves) {
    const after = new Set(state.subscribers(channel.id))
    for (const user of users) after.add(user.id)
    folded.set(channel.id, { ...channelOnWire(state, channel, after.size), subscribers: toRanges(after) })
  }

  // One entry for all who would read the same text (5).
  const groups = new Map<string, { users: number[]; subscriptions: FoldedSubscription[] }>()
  for (const [user, channels] of byUser(moves)) {
    const used = new Set<string>()
    for (const { active, color } of state.subscriptionsOf(user.id).values()) if (active) used.add(color)
    const own = channels.map((channel) => {
      const { row, change } = joining(state, user.id, channel.id, used, options.colors?.get(channel.id))
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
    const subscriptions = own.map(({ id, settings }) => ({ ...folded.get(id), ...settings }) as FoldedSubscription)
    groups.set(key, { users: [user.id], subscriptions })
  }

  const seen = moves.flatMap(({ channel, users }) => {
    if (options.created?.has(channel.id) || options.newcomers) return []
    const strangers = users.filter((user) => !hasMetadataAccess(state, user, channel)).map(({ id }) => id)
    if (strangers.length === 0) return []
    return channelsCreated({ to: { users: strangers }, streams: [channelOnWire(state, channel)] })
  })
  const told = [...groups.values()].map((group) => subscriptionsAdded(group))
  const peers = peerGroups(state, moves).map((group) => peersAdded(group))
  return withRows([...seen, ...told, ...peers], rows, seen.length)
}

/** The entries of people leaving channels, rows included. */
export const left = (state: RealmState, moves: Movement): NewEntry[] => {
  const rows = moves.flatMap(({ channel, users }) =>
    users.flatMap(({ id }) => {
      const row = subscriptionRow(state, id, channel.id)
      return (row && updated('subscriptions', row, { active: false })) ?? []
    }),
  )
  const removed = new Map<string, { users: number[]; channels: ChannelRow[] }>()
  const lost = new Map<string, { users: number[]; channels: ChannelRow[] }>()
  for (const [user, channels] of byUser(moves)) {
    addTo(removed, user, channels)
    addTo(
      lost,
      user,
      channels.filter((channel) => !isSeenFromOutside(state, user, channel)),
    )
  }
  const peers = peerGroups(state, moves).map((group) => peersRemoved(group))
  const told = [...removed.values()].map(({ users, channels }) =>
    subscriptionsRemoved({ users, subscriptions: channels.map(named) }),
  )
  const gone = [...lost.values()].map(({ users, channels }) =>
    channelsDeleted({ to: { users }, streams: channels.map(named) }),
  )
  return withRows([...peers, ...told, ...gone], rows, 0)
}

/**
 * The entry that announces a new channel: to those who see it from outside, and to those whom the same change lets in.
 * @param members who will be its first subscribers
 */
export const channelAppears = (
  state: RealmState,
  channel: ChannelRow,
  members: readonly UserRow[],
  rows: readonly RowChange[],
): NewEntry =>
  channelsCreated({ to: firstSight(state, channel, members), streams: [channelOnWire(state, channel)] }, rows)

const firstSight = (state: RealmState, channel: ChannelRow, members: readonly UserRow[]): Audience => {
  if (channel.is_web_public) return Everyone
  const outside = channel.invite_only ? seenThroughGroups(state, channel) : NonGuests
  const inside = members.filter((user) => channel.invite_only || isGuest(user)).map(({ id }) => id)
  const users = new Set([...(outside.users ?? []), ...inside])
  return users.size === 0 ? outside : { ...outside, users: [...users].sort((a, b) => a - b) }
}

/** Channels whose peers are the same people and whose movers are the same too are told in one event. */
export const peerGroups = (state: RealmState, moves: Movement): Peers[] => {
  const groups = new Map<
    string,
    { to: Audience; users: readonly number[]; streams: { stream_id: number; is_archived: boolean }[] }
  >()
  for (const { channel, users } of moves) {
    const to = seenBy(state, channel)
    const ranges = toRanges(users.map(({ id }) => id))
    const key = JSON.stringify([to, ranges])
    const stream = { stream_id: channel.id, is_archived: channel.is_archived }
    const group = groups.get(key)
    if (group !== undefined) group.streams.push(stream)
    else groups.set(key, { to, users: ranges, streams: [stream] })
  }
  return [...groups.values()]
}

/** The row of one who joins: the former subscription with its settings, or a new one. Uses up a colour. */
const joining = (
  state: RealmState,
  user_id: number,
  channel_id: number,
  used: Set<string>,
  chosen: string | undefined,
): { row: SubscriptionRow; change: RowChange } => {
  const former = subscriptionRow(state, user_id, channel_id)
  const color = chosen ?? former?.color ?? colorFor(channel_id, used)
  used.add(color)
  if (former === undefined) {
    const row = newSubscription(user_id, channel_id, color)
    return { row, change: inserted('subscriptions', row) }
  }
  const change = updated('subscriptions', former, { active: true, color })
  if (change === undefined) throw new Error(`user ${user_id} is in channel ${channel_id} already`)
  return { row: { ...former, active: true, color }, change }
}

/** The stored row, active or ended. */
export const subscriptionRow = (
  state: RealmState,
  user_id: number,
  channel_id: number,
): SubscriptionRow | undefined => {
  const settings = state.subscriptionsOf(user_id).get(channel_id)
  return settings === undefined ? undefined : { user_id, channel_id, ...settings }
}

const named = ({ id, name, is_archived }: ChannelRow) => ({ stream_id: id, name, is_archived })

/** Adds the user to those who are told of exactly these channels, if there are any. */
const addTo = (
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

/** Puts the rows on the entry at `index`; on the first there is, if that many were not made. */
const withRows = (entries: NewEntry[], rows: readonly RowChange[], index: number): NewEntry[] =>
  entries.map((entry, i) => (i === index && rows.length > 0 ? { ...entry, rows } : entry))
