/**
 * Whose access to the messages of which channels differs between two states, and which channels went into the archive.
 *
 * 1. Only users who are active before and after count, and only channels that exist in both: other clients register
 *    again, or know no message there.
 * 2. The row changes tell which pairs of users and channels have to be compared. A permission that only time gives (the
 *    waiting period of new members) has no row.
 */

import { hasContentAccess } from '#rules/channel-access.js'
import { collectGroups } from '#rules/permissions.js'
import { isFullMember } from '#rules/roles.js'
import type { RowChange } from '../log/row-changes.js'
import { type ChannelRow, type RealmRow, Role, type SubscriptionRow, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { SystemGroup } from '../settings/group-setting-values.js'

/** Users who gained or lost access to the messages of the same channels; ids ascending. */
export interface ContentAccessChange {
  user_ids: number[]
  channel_ids: number[]
}

/** The columns of a channel that decide who may read it. */
const columns = ['invite_only', 'is_web_public', 'can_subscribe_group', 'can_add_subscribers_group'] as const

/** The row changes that can change who may read a channel (2). Most subscriptions are to public channels. */
export const selectAccessRows = (state: RealmState, rows: readonly RowChange[]): RowChange[] =>
  rows.filter(({ table, key, before, after }) => {
    switch (table) {
      case 'users':
        return before !== null && after !== null && 'role' in after
      case 'channels':
        return before !== null && after !== null && columns.some((column) => column in after)
      case 'subscriptions': {
        const { user_id, channel_id } = key as SubscriptionRow
        const channel = state.channels.get(channel_id)
        // A channel without messages has none that anyone could have starred.
        if (channel === undefined || channel.is_web_public || !state.firstMessage.has(channel_id)) return false
        return channel.invite_only || state.users.get(user_id)?.role === Role.guest
      }
      case 'group_members':
      case 'group_subgroups':
        return true
      case 'realms':
        return waitingPeriod(before) !== waitingPeriod(after)
      default:
        return false
    }
  })

const waitingPeriod = (side: RowChange['after']): number | undefined =>
  (side as Partial<RealmRow> | null)?.settings?.waiting_period_threshold

/**
 * Finds the users whose access to the messages of a channel differs. The users are grouped by their channels.
 * @param rows those that `selectAccessRows` selects
 */
export const findContentAccessChanges = (
  before: RealmState,
  after: RealmState,
  rows: readonly RowChange[],
): ContentAccessChange[] => {
  const changed = new Map<number, Set<number>>()
  const compare = (user_id: number, channel_id: number): void => {
    const [user, channel] = [after.users.get(user_id), after.channels.get(channel_id)]
    const [formerUser, previous] = [before.users.get(user_id), before.channels.get(channel_id)]
    if (user?.is_active !== true || formerUser?.is_active !== true) return
    if (channel === undefined || previous === undefined) return
    if (hasContentAccess(before, formerUser, previous) === hasContentAccess(after, user, channel)) return
    changed.set(user_id, (changed.get(user_id) ?? new Set()).add(channel_id))
  }
  for (const row of rows) {
    const { users, channels } = findAffected(before, after, row)
    for (const channel_id of channels) for (const user_id of users) compare(user_id, channel_id)
  }
  return groupByChannels(changed)
}

/** The users and channels whose access the row can change: few, because every pair of them is compared. */
const findAffected = (
  before: RealmState,
  after: RealmState,
  { table, key }: RowChange,
): { users: Iterable<number>; channels: Iterable<number> } => {
  const { id = 0, user_id = 0, channel_id = 0, group_id = 0, subgroup_id = 0 } = key as Record<string, number>
  switch (table) {
    case 'subscriptions':
      return { users: [user_id], channels: [channel_id] }
    case 'channels':
      return { users: after.users.keys(), channels: [id] }
    case 'users':
      return { users: [id], channels: after.channels.keys() }
    case 'group_members':
      return { users: [user_id], channels: listGrantedBy(after, group_id) }
    case 'group_subgroups':
      return { users: listMembers([before, after], subgroup_id), channels: listGrantedBy(after, group_id) }
    default: {
      const isPromoted = (user: UserRow) => isFullMember(before, user) !== isFullMember(after, user)
      const users = [...after.users.values()].filter(isPromoted).map((user) => user.id)
      return { users, channels: listGrantedBy(after, SystemGroup.fullmembers) }
    }
  }
}

/** Ids of the private channels that the members of the group may read, directly or through other groups. */
const listGrantedBy = (state: RealmState, group_id: number): number[] =>
  [...state.channels.values()]
    .filter((channel) => isGranting(channel) && names(state, channel, group_id))
    .map(({ id }) => id)

const names = (state: RealmState, channel: ChannelRow, group_id: number): boolean =>
  [channel.can_subscribe_group, channel.can_add_subscribers_group].some((value) => {
    for (const id of collectGroups(state, value)) if (id === group_id) return true
    return false
  })

/** Ids of the members of the group and its subgroups, in any of the states; of everyone, if one is a system group. */
const listMembers = (states: readonly RealmState[], group_id: number): Set<number> => {
  const members = new Set<number>()
  for (const state of states) {
    for (const id of collectGroups(state, group_id)) {
      if (id <= SystemGroup.internet) return new Set(state.users.keys())
      for (const user_id of state.directMembers(id)) members.add(user_id)
    }
  }
  return members
}

/** Whether a group may read the channel without a subscription: a private one whose settings name a group or users. */
const isGranting = ({ invite_only, is_web_public, can_subscribe_group, can_add_subscribers_group }: ChannelRow) =>
  invite_only &&
  !is_web_public &&
  (can_subscribe_group !== SystemGroup.nobody || can_add_subscribers_group !== SystemGroup.nobody)

/**
 * Lists the ids of private channels that the user may read by a group setting. The user may read them only because the
 * setting names the user.
 */
export const listGrantedChannels = (state: RealmState, user: UserRow): number[] => {
  const ids: number[] = []
  for (const channel of state.channels.values()) {
    if (!isGranting(channel) || state.isSubscribed(user.id, channel.id)) continue
    if (hasContentAccess(state, user, channel)) ids.push(channel.id)
  }
  return ids
}

/**
 * Lists the ids of channels that these row changes archive or unarchive. Such a channel is put into the archive, or
 * taken out of it.
 */
export const findArchiveChanges = (rows: readonly RowChange[]): number[] =>
  rows.flatMap(({ table, key, before, after }) =>
    table === 'channels' && before !== null && after !== null && 'is_archived' in after ? [(key as ChannelRow).id] : [],
  )

const groupByChannels = (changed: ReadonlyMap<number, ReadonlySet<number>>): ContentAccessChange[] => {
  const groups = new Map<string, ContentAccessChange>()
  for (const [user_id, channels] of [...changed].sort(([a], [b]) => a - b)) {
    const channel_ids = [...channels].sort((a, b) => a - b)
    const group = groups.get(channel_ids.join())
    if (group === undefined) groups.set(channel_ids.join(), { user_ids: [user_id], channel_ids })
    else group.user_ids.push(user_id)
  }
  return [...groups.values()]
}
