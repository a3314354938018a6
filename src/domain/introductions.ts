/** What people are told of an account that they may know from now on: the account, and what it says of itself. */
import { userStatus } from './entries/user-status.js'
import { realmUserAdd } from './entries/users.js'
import { type Audience, type NewEntry, only } from './entry.js'
import type { UserRow } from './rows.js'
import type { RealmState } from './state.js'
import { statusOnWire } from './statuses.js'
import { seesAddress, userFor } from './users.js'

/** The entries that introduce the account to one viewer. */
export const introducedTo = (state: RealmState, viewer: UserRow, user: UserRow): NewEntry[] => {
  const viewers = only(viewer.id)
  const view = { address: seesAddress(viewer, user), client_gravatar: false, profile_data: true }
  return [realmUserAdd({ person: userFor(user, view), viewers }), ...statusEntries(state, user, viewers)]
}

/** What the account says of itself, if it is there and says anything. */
export const statusEntries = (state: RealmState, user: UserRow, viewers: Audience): NewEntry[] => {
  const status = user.is_active ? statusOnWire(state, user) : undefined
  return status === undefined ? [] : [userStatus({ user_id: user.id, viewers, ...status })]
}
