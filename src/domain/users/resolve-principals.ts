/**
 * Resolves the `principals` parameter: users by id, or by an address that the caller may see.
 *
 * A restricted guest names accounts that share a channel with them: only these can be in the channels of the request.
 *
 * Source: protocol/endpoints.md 1.1 (check 10), protocol/permissions.md 10.3 and 14.
 */

import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'
import { collectContacts, contactSources, isRestrictedGuest } from './user-access.js'
import { canSeeAddress } from './users.js'

export type Principals = readonly number[] | readonly string[]

/**
 * The accounts with these ids or addresses, each once.
 * Throws BAD_REQUEST for an account that does not exist for the caller or is deactivated.
 */
export const resolvePrincipals = (state: RealmState, caller: UserRow, principals: Principals): UserRow[] => {
  const users = new Map<number, UserRow>()
  const known = isRestrictedGuest(state, caller) ? collectContacts(state, contactSources(state, caller, [])) : undefined
  for (const principal of principals) {
    const user =
      typeof principal === 'number' ? state.users.get(principal) : findUserByAddress(state, caller, principal)
    // System bots cannot be subscribed to channels.
    if (user === undefined || user.is_system_bot) throw errors.noSuchUser()
    if (known?.has(user.id) === false && !user.is_bot && user.id !== caller.id) throw errors.noSuchUser()
    if (!user.is_active) throw errors.badRequest('This user is deactivated.')
    users.set(user.id, user)
  }
  return [...users.values()]
}

/** Whether a principal is this account: its id, or one of its addresses. */
export const isNameOf = ({ id, email, delivery_email }: UserRow, principal: number | string): boolean =>
  typeof principal === 'number'
    ? principal === id
    : [email, delivery_email].some((address) => address.toLowerCase() === principal.trim().toLowerCase())

/** Whether the account is the caller or one of the caller's bots. */
export const isSelfOrOwnBot = (caller: UserRow, user: UserRow): boolean =>
  user.id === caller.id || (user.is_bot && user.bot_owner_id === caller.id)

const findUserByAddress = (state: RealmState, caller: UserRow, address: string): UserRow | undefined => {
  const user = state.userByEmail(address.trim())
  if (user === undefined) return undefined
  const isApiAddress = user.email.toLowerCase() === address.trim().toLowerCase()
  return isApiAddress || canSeeAddress(caller, user) ? user : undefined
}
