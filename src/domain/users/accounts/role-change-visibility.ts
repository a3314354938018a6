/**
 * What a user whose role changed gains or loses, apart from channels: accounts, addresses, bots, default channels.
 *
 * Each entry is the difference between the registration before and after the change. Only that user receives it.
 * Usually there is none: by default every user sees all addresses, and guests have access to all users.
 */

import { isGuest } from '#rules/roles.js'
import { defaultChannelsChanged } from '../../channels/channel-entries.js'
import { defaultChannelGroupsChanged } from '../../channels/default-channel-group-entries.js'
import { groupsOnWire } from '../../channels/default-channel-groups.js'
import { type Audience, type NewEntry, onlyUsers } from '../../log/entry.js'
import type { UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { realmBotAdded, realmBotDeleted } from '../bots/bot-entries.js'
import { administeredBots, composeSealedBot } from '../bots/bots.js'
import { composeIntroduction } from '../guest-visibility.js'
import { collectContacts, contactSources, isRestrictedGuest } from '../user-access.js'
import { realmUserRemove, realmUserUpdate } from '../user-entries.js'
import { canSeeAddress, isGravatar } from '../users.js'
import { pictureFields, requireUser } from './account-changes.js'

/** The entries for a user whose role differs between the two states. */
export const composeRoleChangeEntries = (
  before: RealmState,
  after: RealmState,
  user_id: number,
  partners: readonly number[],
): NewEntry[] => {
  const [previous, user] = [requireUser(before, user_id), requireUser(after, user_id)]
  if (previous.role === user.role || !user.is_active) return []
  const viewers = onlyUsers(user_id)
  return [
    ...composeDefaultChannelEntries(previous, user, after, viewers),
    ...composeBotEntries(before, previous, after, user, viewers),
    ...composeAccountEntries(before, previous, after, user, partners, viewers),
  ]
}

/** Guests do not see which channels new accounts are subscribed to. */
const composeDefaultChannelEntries = (
  previous: UserRow,
  user: UserRow,
  after: RealmState,
  audience: Audience,
): NewEntry[] => {
  if (isGuest(previous) === isGuest(user)) return []
  const default_streams = isGuest(user) ? [] : [...after.defaultChannels].sort((a, b) => a - b)
  const default_stream_groups = isGuest(user) ? [] : groupsOnWire(after)
  return [
    ...(after.defaultChannels.size === 0 ? [] : [{ ...defaultChannelsChanged({ default_streams }), audience }]),
    ...(after.defaultChannelGroups.size === 0
      ? []
      : [{ ...defaultChannelGroupsChanged({ default_stream_groups }), audience }]),
  ]
}

const composeBotEntries = (
  before: RealmState,
  previous: UserRow,
  after: RealmState,
  user: UserRow,
  viewers: Audience,
): NewEntry[] => {
  const had = new Set(administeredBots(before, previous).map(({ id }) => id))
  const has = administeredBots(after, user)
  const removed = [...had].filter((id) => !has.some((bot) => bot.id === id))
  return [
    ...has.filter(({ id }) => !had.has(id)).map((bot) => realmBotAdded({ viewers, bot: composeSealedBot(after, bot) })),
    ...removed.map((id) => realmBotDeleted({ viewers, user_id: id })),
  ]
}

/** How the viewer sees another account: not at all, without its real address, or with it. */
type AccountVisibility = 'unknown' | 'plain' | 'address'

const composeAccountEntries = (
  before: RealmState,
  previous: UserRow,
  after: RealmState,
  user: UserRow,
  partners: readonly number[],
  viewers: Audience,
): NewEntry[] => {
  const [was, is] = [openVisibilityLookup(before, previous, partners), openVisibilityLookup(after, user, partners)]
  const others = [...after.users.values()].sort((a, b) => a.id - b.id)
  return others.flatMap((other): NewEntry[] => {
    const [had, has] = [was(other), is(other)]
    if (had === has || other.is_system_bot) return []
    const user_id = other.id
    if (has === 'unknown') return [realmUserRemove({ user_id, viewers })]
    if (had === 'unknown') return composeIntroduction(after, user, other)
    const address = has === 'address'
    const delivery_email = address ? other.delivery_email : null
    return [
      realmUserUpdate({ person: { user_id, delivery_email }, viewers }),
      ...(isGravatar(other)
        ? [realmUserUpdate({ person: { user_id, ...pictureFields(other, address) }, viewers })]
        : []),
    ]
  })
}

const openVisibilityLookup = (
  state: RealmState,
  viewer: UserRow,
  partners: readonly number[],
): ((other: UserRow) => AccountVisibility) => {
  const met = isRestrictedGuest(state, viewer)
    ? collectContacts(state, contactSources(state, viewer, partners))
    : undefined
  return (other) => {
    if (met !== undefined && !other.is_bot && other.id !== viewer.id && !met.has(other.id)) return 'unknown'
    return canSeeAddress(viewer, other) ? 'address' : 'plain'
  }
}
