/**
 * Who gains and who loses sight of which channels, when groups, roles, settings or channels change.
 *
 * 1. It is a comparison of two states, whatever lies between them: each cause needs no rule of its own, and the result
 *    is what a fresh computation would say (permissions.md, property 5).
 * 2. Joining and leaving are told by membership.ts; new channels announce themselves. Only accounts that are active
 *    before and after can be told anything.
 * 3. Most channels are not looked at for most people: a public one changes for those alone whose role changed, and a
 *    private one for those alone whom its groups name differently.
 *
 * Source: permissions.md 9.2 and 9.3.
 */

import type { NewEntry } from '../log/entry.js'
import { toRanges } from '../log/id-ranges.js'
import type { ChannelRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { hasMetadataAccess, seenThroughGroups } from '../permissions/channel-access.js'
import { channelsCreated, channelsDeleted } from './channel-entries.js'
import { channelOnWire } from './channels.js'
import { showsFirstMessage } from './first-messages.js'
import { byUser, type Movement } from './membership.js'
import { peersAdded } from './subscription-entries.js'

export interface AccessChange {
  /** as it is after the change */
  channel: ChannelRow
  gained: UserRow[]
  lost: UserRow[]
}

/** The channels that exist for other people in the state after than in the state before, by id. */
export const accessChanges = (before: RealmState, after: RealmState): AccessChange[] => {
  const movers = roleChanges(before, after)
  const changes: AccessChange[] = []
  for (const channel of after.channels.values()) {
    const was = before.channels.get(channel.id)
    if (was === undefined) continue
    const [former, present] = [sightOf(before, was), sightOf(after, channel)]
    const gained: UserRow[] = []
    const lost: UserRow[] = []
    for (const user of candidates(after, former, present, movers)) {
      const known = before.users.get(user.id)
      if (known?.is_active !== true || !user.is_active) continue
      const saw = former.sees(known)
      if (saw === present.sees(user)) continue
      if (saw) lost.push(user)
      else gained.push(user)
    }
    if (gained.length > 0 || lost.length > 0) changes.push({ channel, gained, lost })
  }
  return changes.sort((a, b) => a.channel.id - b.channel.id)
}

/** What those people are told: channels appear with their subscribers, or disappear. */
export const accessEntries = (after: RealmState, changes: readonly AccessChange[]): NewEntry[] => {
  const gains = changes.map(({ channel, gained }) => ({ channel, users: gained }))
  const losses = changes.map(({ channel, lost }) => ({ channel, users: lost }))
  const whoReads = (reads: boolean): Movement =>
    gains.map(({ channel, users }) => ({
      channel,
      users: users.filter((user) => showsFirstMessage(after, user, channel) === reads),
    }))
  // Clients count those whom the next entries add (membership.ts, rule 4).
  const appear = (reads: boolean): NewEntry[] =>
    alike(whoReads(reads)).map(({ users, channels }) => {
      const streams = channels.map((channel) => channelOnWire(after, channel, 0, reads))
      return channelsCreated({ to: { users }, streams, ...(reads ? {} : { hides_first_messages: true }) })
    })
  return [
    ...appear(true),
    ...appear(false),
    ...gains.flatMap(({ channel, users }) => {
      const subscribers = after.subscribers(channel.id)
      if (users.length === 0 || subscribers.size === 0) return []
      const streams = [{ stream_id: channel.id, is_archived: channel.is_archived }]
      return [peersAdded({ to: { users: users.map(({ id }) => id) }, streams, users: toRanges(subscribers) })]
    }),
    ...alike(losses).map(({ users, channels }) =>
      channelsDeleted({
        to: { users },
        streams: channels.map(({ id, is_archived }) => ({ stream_id: id, is_archived })),
      }),
    ),
  ]
}

/** Accounts whose role changed. */
const roleChanges = (before: RealmState, after: RealmState): UserRow[] => {
  if (before.users === after.users) return []
  return [...after.users.values()].filter((user) => {
    const former = before.users.get(user.id)
    return former !== user && former?.role !== user.role
  })
}

/** Who sees a channel: everyone up to a role, and these beside them; of a private one, as sets (3). */
interface Sight {
  kind: 'private' | 'public' | 'web-public'
  weakest: number
  named: ReadonlySet<number>
  sees(user: UserRow): boolean
}

const nobody: ReadonlySet<number> = new Set()

const sightOf = (state: RealmState, channel: ChannelRow): Sight => {
  if (!channel.invite_only || channel.is_web_public) {
    const kind = channel.is_web_public ? 'web-public' : 'public'
    return { kind, weakest: 0, named: nobody, sees: (user) => hasMetadataAccess(state, user, channel) }
  }
  const { roles, users } = seenThroughGroups(state, channel)
  const weakest = roles?.[1] ?? 0
  const named = new Set(users)
  const sees = ({ id, role }: UserRow) => role <= weakest || named.has(id) || state.isSubscribed(id, channel.id)
  return { kind: 'private', weakest, named, sees }
}

/** Everyone for whom the channel may have come or gone (3). */
const candidates = (
  after: RealmState,
  former: Sight,
  present: Sight,
  movers: readonly UserRow[],
): Iterable<UserRow> => {
  if (former.kind !== present.kind || former.weakest !== present.weakest) return after.users.values()
  const differing: UserRow[] = []
  const [had, has] = [former.named, present.named]
  for (const id of had) if (!has.has(id)) differing.push(...userIn(after, id))
  for (const id of has) if (!had.has(id)) differing.push(...userIn(after, id))
  return differing.length === 0 ? movers : new Set([...movers, ...differing])
}

const userIn = (state: RealmState, id: number): UserRow[] => {
  const user = state.users.get(id)
  return user === undefined ? [] : [user]
}

/** Those who gain, or lose, the same channels. */
const alike = (moves: Movement): { users: number[]; channels: ChannelRow[] }[] => {
  const groups = new Map<string, { users: number[]; channels: ChannelRow[] }>()
  for (const [{ id }, channels] of byUser(moves)) {
    const key = channels.map((channel) => channel.id).join()
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { users: [id], channels })
    else group.users.push(id)
  }
  return [...groups.values()]
}
