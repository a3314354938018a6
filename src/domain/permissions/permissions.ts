/**
 * Roles, and who holds a permission that is given to a group-setting value.
 *
 * 1. Membership in system groups follows from role and account age; custom groups have rows.
 * 2. Deactivating a group removes no permission: where a value still names the group, its members hold the permission.
 * 3. A setting that role:everyone may not hold is never passed by a guest, whichever group contains them.
 *
 * Source: permissions.md sections 1 to 4.
 */

import { type ChannelRow, type GroupRow, Role, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { type GroupSettingValue, SystemGroup } from '../settings/group-setting-values.js'
import type { RealmGroupSetting } from '../settings/realm-settings.js'
import { realmGroupRules } from '../settings/realm-settings.js'
import {
  type ChannelGroupSetting,
  channelGroupRules,
  type UserGroupSetting,
  userGroupRules,
} from './group-setting-rules.js'

/** A day, in seconds. */
export const DAY = 86_400

/** The time now in UNIX seconds: the default of every `now`. */
export const secondsNow = (): number => Math.floor(Date.now() / 1000)

/** Whether the account is an owner: the strongest role. */
export const isOwner = (user: Pick<UserRow, 'role'>): boolean => user.role <= Role.owner
/** Each role includes the weaker ones: an owner is an administrator, too. */
export const isAdministrator = (user: UserRow): boolean => user.role <= Role.administrator
/** Whether the account is a moderator or has a stronger role. */
export const isModerator = (user: UserRow): boolean => user.role <= Role.moderator
/** Whether the account is a guest, the role with the fewest rights. */
export const isGuest = (user: UserRow): boolean => user.role >= Role.guest

/** Moderators and above, and members past the waiting period of the organization. */
export const isFullMember = (state: RealmState, user: UserRow, now = secondsNow()): boolean => {
  if (isGuest(user)) return false
  return isModerator(user) || now - user.date_joined >= state.settings.waiting_period_threshold * DAY
}

/** The weakest role in each system group that roles alone decide. */
const weakestRole = new Map<number, number>([
  [SystemGroup.owners, Role.owner],
  [SystemGroup.administrators, Role.administrator],
  [SystemGroup.moderators, Role.moderator],
  [SystemGroup.members, Role.member],
  [SystemGroup.everyone, Role.guest],
  [SystemGroup.internet, Role.guest],
])

/** The groups that a value names, directly or through any chain of subgroups. */
export function* collectGroups(state: RealmState, value: GroupSettingValue): Iterable<number> {
  const pending = typeof value === 'number' ? [value] : [...value.direct_subgroups]
  const seen = new Set<number>()
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    yield id
    pending.push(...state.directSubgroups(id))
  }
}

/** Whether an active user is in the value, directly or through any chain of groups. */
export const isHolder = (state: RealmState, user: UserRow, value: GroupSettingValue, now?: number): boolean => {
  if (!user.is_active) return false
  if (typeof value !== 'number' && value.direct_members.includes(user.id)) return true
  for (const id of collectGroups(state, value)) {
    const weakest = weakestRole.get(id)
    if (weakest !== undefined ? user.role <= weakest : state.directMembers(id).has(user.id)) return true
    if (id === SystemGroup.fullmembers && isFullMember(state, user, now)) return true
  }
  return false
}

const isPermitted = (state: RealmState, user: UserRow, value: GroupSettingValue, everyone: boolean, now?: number) =>
  (everyone || !isGuest(user)) && isHolder(state, user, value, now)

/** Whether the user holds a permission of the organization. */
export const mayInRealm = (state: RealmState, user: UserRow, setting: RealmGroupSetting, now?: number): boolean =>
  isPermitted(state, user, state.settings[setting], realmGroupRules[setting].everyone, now)

/** Whether a setting of the channel contains the user. Implicit holders, such as administrators: channel-access.ts. */
export const mayInChannel = (
  state: RealmState,
  user: UserRow,
  channel: ChannelRow,
  setting: ChannelGroupSetting,
  now?: number,
): boolean => isPermitted(state, user, channel[setting], channelGroupRules[setting].everyone, now)

/** Whether a setting of the group contains the user. */
export const mayInGroup = (
  state: RealmState,
  user: UserRow,
  group: GroupRow,
  setting: UserGroupSetting,
  now?: number,
): boolean => isPermitted(state, user, group[setting], userGroupRules[setting].everyone, now)

/** The users with a role up to `weakest` (0: none), and the listed users. */
export interface Holders {
  weakest: number
  users: Set<number>
}

/** Active accounts in any of the values, without guests: as an audience, not as a list of all users. */
export const nonGuestHolders = (state: RealmState, values: readonly GroupSettingValue[], now?: number): Holders => {
  let weakest = 0
  let fullMembers = false
  const named = new Set<number>()
  for (const value of values) {
    if (typeof value !== 'number') for (const id of value.direct_members) named.add(id)
    for (const id of collectGroups(state, value)) {
      if (id === SystemGroup.fullmembers) fullMembers = true
      weakest = Math.max(weakest, Math.min(weakestRole.get(id) ?? 0, Role.member))
      for (const member of state.directMembers(id)) named.add(member)
    }
  }
  if (fullMembers && weakest < Role.member) {
    weakest = Math.max(weakest, Role.moderator)
    for (const user of state.users.values()) if (isFullMember(state, user, now)) named.add(user.id)
  }
  const users = new Set<number>()
  for (const id of named) {
    const user = state.users.get(id)
    if (user?.is_active === true && !isGuest(user) && user.role > weakest) users.add(id)
  }
  return { weakest, users }
}
