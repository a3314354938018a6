/**
 * Permissions to change, deactivate and reactivate an account, and the protection of the last owner.
 *
 * 1. An administrator may change every account. Every user may change their own bots.
 * 2. Only an owner may give or take the role of owner.
 * 3. Only an owner changes the credentials of an owner: the address, to which the link for a new password is
 *    mailed, and the API key. A bot with the role of owner is administered by owners only, even if an
 *    administrator owns it: its API key is not shown to others, and it is a new one when the bot gets the role,
 *    because others have seen the former one.
 * 4. The organization always keeps an active owner who is not a bot.
 * Source: protocol/permissions.md 1, 10.3 and 16; protocol/endpoints.md 3.7.
 */

import { isAdministrator, isOwner } from '#rules/roles.js'
import { composeUpdate } from '../../log/row-changes.js'
import { Role, type UserRow } from '../../log/rows.js'
import { composeSilentEntry } from '../../log/silent-entry.js'
import type { RealmState } from '../../log/state.js'
import type { Step } from '../../log/steps.js'
import { errors } from '../../protocol/errors.js'

/** Refuses a caller who may not change the account at all. Throws UNAUTHORIZED_PRINCIPAL and BAD_REQUEST. */
export const checkAdministers = (caller: UserRow, user: UserRow): void => {
  const ownsBot = user.is_bot && user.bot_owner_id === caller.id
  if (!isAdministrator(caller) && !ownsBot) throw errors.insufficientPermission()
  if (user.is_bot) checkOutranks(caller, user)
}

/** Refuses a caller who is not an owner, where the account is one (3). Throws UNAUTHORIZED_PRINCIPAL. */
export const checkOutranks = (caller: UserRow, user: UserRow): void => {
  if (isOwner(user) && !isOwner(caller)) throw errors.notOwner()
}

/** Rights that the server's operator can withdraw from an administrator's account. */
export const accountRights = ['can_create_users', 'can_change_user_emails'] as const
export type AccountRight = (typeof accountRights)[number]

/**
 * Refuses a withdrawn right. Throws BAD_REQUEST. Rows logged by an older release lack these columns, which counts as
 * granted.
 */
export const checkRight = (user: UserRow, right: AccountRight): void => {
  if (user[right] === false)
    throw errors.badRequest('The operator of this server has withdrawn this right from your account.')
}

/** Grants a right to an account, or withdraws it. */
export const setAccountRight =
  (user_id: number, right: AccountRight, value: boolean): Step =>
  (state) => {
    const user = state.users.get(user_id)
    const row = user && composeUpdate('users', user, { [right]: value })
    return row === undefined ? [] : [composeSilentEntry([row])]
  }

/** Refuses a role that the caller may not give to the account. Throws UNAUTHORIZED_PRINCIPAL and BAD_REQUEST. */
export const checkRole = (state: RealmState, caller: UserRow, user: UserRow, role: number): void => {
  if (role === user.role) return
  if (role === Role.owner || isOwner(user)) {
    if (!isOwner(caller)) throw errors.notOwner()
  } else if (!isAdministrator(caller)) {
    throw errors.notAdministrator()
  }
  if (isLastOwner(state, user)) {
    throw errors.badRequest('The organization has no other owner: make another user an owner first.')
  }
}

/** Whether the organization would have no owner without this account. */
export const isLastOwner = (state: RealmState, user: UserRow): boolean => {
  if (!isOwner(user) || user.is_bot || !user.is_active) return false
  for (const other of state.users.values()) {
    if (other.id !== user.id && isOwner(other) && other.is_active && !other.is_bot) return false
  }
  return true
}

/** Refuses to deactivate the last owner or the last account. Throws CANNOT_DEACTIVATE_LAST_USER. */
export const checkNotLast = (state: RealmState, user: UserRow): void => {
  if (isLastOwner(state, user)) {
    throw errors.cannotDeactivateLastOwner({ is_last_owner: true, entity: 'organization owner' })
  }
  const others = [...state.users.values()].filter(
    ({ id, is_active, is_system_bot }) => id !== user.id && is_active && !is_system_bot,
  )
  if (others.length === 0) throw errors.cannotDeactivateLastUser({ is_last_owner: false, entity: 'user' })
}

/** The account, if it exists and the caller may administer it. Throws BAD_REQUEST and UNAUTHORIZED_PRINCIPAL. */
export const requireAdministered = (caller: UserRow, found: UserRow | undefined): UserRow => {
  if (found === undefined || found.is_system_bot) throw errors.noSuchUser()
  checkAdministers(caller, found)
  return found
}

/**
 * The active account with this id, if the caller may deactivate it. Throws BAD_REQUEST, UNAUTHORIZED_PRINCIPAL and
 * CANNOT_DEACTIVATE_LAST_USER.
 */
export const requireDeactivatable = (state: RealmState, caller: UserRow, user_id: number): UserRow => {
  const found = state.users.get(user_id)
  // DELETE /bots/{bot_id} deactivates bots.
  if (found === undefined || found.is_bot) throw errors.noSuchUser()
  const user = requireAdministered(caller, found)
  if (!user.is_active) throw errors.badRequest('This user is deactivated.')
  checkOutranks(caller, user)
  checkNotLast(state, user)
  return user
}

/** The bot with this id, if the caller may administer it. Throws BAD_REQUEST and UNAUTHORIZED_PRINCIPAL. */
export const requireAdministeredBot = (state: RealmState, caller: UserRow, bot_id: number): UserRow => {
  const bot = state.users.get(bot_id)
  if (bot === undefined || !bot.is_bot || bot.is_system_bot) throw errors.noSuchBot()
  checkAdministers(caller, bot)
  return bot
}
