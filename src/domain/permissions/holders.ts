/** All accounts that hold a permission, as an audience: by role where roles decide, and not as a list of all users. */
import { type GroupSettingValue, SystemGroup } from '#rules/group-settings.js'
import { collectGroups, weakestRole } from '#rules/permissions.js'
import { isFullMember, isGuest, Role } from '#rules/roles.js'
import type { RealmState } from '../log/state.js'

/** The users with a role up to `weakest` (0: none), and the listed users. */
export interface Holders {
  weakest: number
  users: Set<number>
}

/**
 * Finds the active accounts in any of the values, without guests. The result is an audience, not a list of all users.
 */
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
