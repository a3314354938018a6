/**
 * Which users gain and lose access to the metadata of which channels, when groups, roles, settings or channels change.
 *
 * 1. The result is a comparison of two states, whatever changed between them: no cause needs a rule of its own, and the
 *    result equals a fresh computation (protocol/permissions.md 18, property 5).
 * 2. membership.ts makes the entries for subscribing and unsubscribing; new channels have an entry of their own. Only
 *    users who are active before and after get an entry.
 * 3. Most channels are not checked for most users: access to a public channel changes only with a user's role, access
 *    to a private channel only for users whom its groups name differently.
 *
 * Source: protocol/permissions.md 9.2 and 9.3.
 */

import { hasMetadataAccess } from '#rules/channel-access.js'
import type { NewEntry } from '../log/entry.js'
import { toRanges } from '../log/id-ranges.js'
import type { ChannelRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { groupViewers } from '../permissions/channel-access.js'
import { channelsCreated, channelsDeleted } from './channel-entries.js'
import { channelOnWire } from './channels.js'
import { groupByUser, type MembershipChanges } from './membership.js'
import { peersAdded } from './subscription-entries.js'

export interface AccessChange {
  /** as it is after the change */
  channel: ChannelRow
  gained: UserRow[]
  lost: UserRow[]
}

/** The channels whose set of viewers differs between the two states, by id. */
export const compareAccess = (before: RealmState, after: RealmState): AccessChange[] => {
  const movers = findRoleChanges(before, after)
  const changes: AccessChange[] = []
  for (const channel of after.channels.values()) {
    const was = before.channels.get(channel.id)
    if (was === undefined) continue
    const [previous, present] = [channelVisibility(before, was), channelVisibility(after, channel)]
    const gained: UserRow[] = []
    const lost: UserRow[] = []
    for (const user of affectedUsers(after, previous, present, movers)) {
      const known = before.users.get(user.id)
      if (known?.is_active !== true || !user.is_active) continue
      const saw = previous.isVisibleTo(known)
      if (saw === present.isVisibleTo(user)) continue
      if (saw) lost.push(user)
      else gained.push(user)
    }
    if (gained.length > 0 || lost.length > 0) changes.push({ channel, gained, lost })
  }
  return changes.sort((a, b) => a.channel.id - b.channel.id)
}

/** Composes the entries for the users whose access changed. Channels appear with their subscribers, or disappear. */
export const announceAccessChanges = (after: RealmState, changes: readonly AccessChange[]): NewEntry[] => {
  const gains = changes.map(({ channel, gained }) => ({ channel, users: gained }))
  const losses = changes.map(({ channel, lost }) => ({ channel, users: lost }))
  return [
    // Clients add the users of the following peer_add to subscriber_count (membership.ts, rule 4).
    ...groupByChannels(gains).map(({ users, channels }) =>
      channelsCreated({ to: { users }, streams: channels.map((channel) => channelOnWire(after, channel, 0)) }),
    ),
    ...gains.flatMap(({ channel, users }) => {
      const subscribers = after.subscribers(channel.id)
      if (users.length === 0 || subscribers.size === 0) return []
      const streams = [{ stream_id: channel.id, is_archived: channel.is_archived }]
      return [peersAdded({ to: { users: users.map(({ id }) => id) }, streams, users: toRanges(subscribers) })]
    }),
    ...groupByChannels(losses).map(({ users, channels }) =>
      channelsDeleted({
        to: { users },
        streams: channels.map(({ id, is_archived }) => ({ stream_id: id, is_archived })),
      }),
    ),
  ]
}

/** Users whose role changed. */
const findRoleChanges = (before: RealmState, after: RealmState): UserRow[] => {
  if (before.users === after.users) return []
  return [...after.users.values()].filter((user) => {
    const previous = before.users.get(user.id)
    return previous !== user && previous?.role !== user.role
  })
}

/** The viewers of a channel: every role up to `weakest`, and the users in `named`; sets for private channels (3). */
interface ChannelVisibility {
  kind: 'private' | 'public' | 'web-public'
  weakest: number
  named: ReadonlySet<number>
  isVisibleTo(user: UserRow): boolean
}

const nobody: ReadonlySet<number> = new Set()

const channelVisibility = (state: RealmState, channel: ChannelRow): ChannelVisibility => {
  if (!channel.invite_only || channel.is_web_public) {
    const kind = channel.is_web_public ? 'web-public' : 'public'
    return { kind, weakest: 0, named: nobody, isVisibleTo: (user) => hasMetadataAccess(state, user, channel) }
  }
  const { roles, users } = groupViewers(state, channel)
  const weakest = roles?.[1] ?? 0
  const named = new Set(users)
  const canSee = ({ id, role }: UserRow) => role <= weakest || named.has(id) || state.isSubscribed(id, channel.id)
  return { kind: 'private', weakest, named, isVisibleTo: canSee }
}

/** The users whose access may have changed (3). */
const affectedUsers = (
  after: RealmState,
  previous: ChannelVisibility,
  present: ChannelVisibility,
  movers: readonly UserRow[],
): Iterable<UserRow> => {
  if (previous.kind !== present.kind || previous.weakest !== present.weakest) return after.users.values()
  const differing: UserRow[] = []
  const [had, has] = [previous.named, present.named]
  for (const id of had) if (!has.has(id)) differing.push(...findUser(after, id))
  for (const id of has) if (!had.has(id)) differing.push(...findUser(after, id))
  return differing.length === 0 ? movers : new Set([...movers, ...differing])
}

const findUser = (state: RealmState, id: number): UserRow[] => {
  const user = state.users.get(id)
  return user === undefined ? [] : [user]
}

/** Groups of users who gain, or lose, the same channels. */
const groupByChannels = (moves: MembershipChanges): { users: number[]; channels: ChannelRow[] }[] => {
  const groups = new Map<string, { users: number[]; channels: ChannelRow[] }>()
  for (const [{ id }, channels] of groupByUser(moves)) {
    const key = channels.map((channel) => channel.id).join()
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { users: [id], channels })
    else group.users.push(id)
  }
  return [...groups.values()]
}
