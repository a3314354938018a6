/** Changes of the list of users whom a user has muted. Source: protocol/endpoints.md 3.2. */
import { secondsNow } from '#rules/time.js'
import { accountLimits, hasTooMany } from '../../limits/counts.js'
import type { NewEntry } from '../../log/entry.js'
import { composeInsert, composeUpdate } from '../../log/row-changes.js'
import type { UserMutesRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { errors } from '../../protocol/errors.js'
import { mutedUsersChanged } from './personal-list-entries.js'

type Muted = UserMutesRow['muted_users']

const listMuted = (state: RealmState, user_id: number): Muted => state.mutes.get(user_id)?.muted_users ?? []

/** Throws BAD_REQUEST when the user has muted this one already, or too many. */
export const checkMayMute = (state: RealmState, user_id: number, muted_id: number): void => {
  const muted = listMuted(state, user_id)
  if (muted.some(({ id }) => id === muted_id)) throw errors.badRequest('You have already muted this user.')
  if (muted.length >= accountLimits.muted_users.most) throw hasTooMany(accountLimits.muted_users)
}

/** The entry that mutes a user. Throws what checkMayMute throws. */
export const muteUser = (state: RealmState, user_id: number, muted_id: number): NewEntry => {
  checkMayMute(state, user_id, muted_id)
  return setMuted(state, user_id, [...listMuted(state, user_id), { id: muted_id, timestamp: secondsNow() }])
}

/** The entry that unmutes a user. Throws BAD_REQUEST for one who is not muted. */
export const unmuteUser = (state: RealmState, user_id: number, muted_id: number): NewEntry => {
  const muted = listMuted(state, user_id)
  const remaining = muted.filter(({ id }) => id !== muted_id)
  if (remaining.length === muted.length) throw errors.badRequest('You have not muted this user.')
  return setMuted(state, user_id, remaining)
}

const setMuted = (state: RealmState, user_id: number, muted_users: Muted): NewEntry => {
  const row = state.mutes.get(user_id)
  const changed =
    row === undefined
      ? composeInsert('user_mutes', { user_id, muted_users })
      : composeUpdate('user_mutes', row, { muted_users })
  return mutedUsersChanged({ user_id, muted_users }, changed && [changed])
}
