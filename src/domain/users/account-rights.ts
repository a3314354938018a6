/**
 * Who may change, deactivate and bring back whose account, and what must not happen to the last owner.
 *
 * Administrators administer everyone, and everybody their own bots. What concerns the role of owner is owners' alone.
 * Source: permissions.md sections 1, 10.3 and 16; endpoints.md 3.7.
 */
import { quiet } from '../log/quiet.js'
import { updated } from '../log/row-changes.js'
import { Role, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import { isAdministrator, isOwner } from '../permissions/permissions.js'
import { errors } from '../protocol/errors.js'

/** Whether the caller may change the account at all. */
export const canAdminister = (caller: UserRow, user: UserRow): boolean =>
  isAdministrator(caller) || (user.is_bot && user.bot_owner_id === caller.id)

/** What an administrator may do unless whoever runs the server has taken it from their account. */
export const accountRights = ['can_create_users', 'can_change_user_emails'] as const
export type AccountRight = (typeof accountRights)[number]

/** Refuses what was taken from the account. What was logged by an older release lacks the rights, and takes none. */
export const checkRight = (user: UserRow, right: AccountRight): void => {
  if (user[right] === false) throw errors.badRequest('This was taken from your account by whoever runs the server.')
}

/** Gives an account a right, or takes it. */
export const setAccountRight =
  (user_id: number, right: AccountRight, value: boolean): Step =>
  (state) => {
    const user = state.users.get(user_id)
    const row = user && updated('users', user, { [right]: value })
    return row === undefined ? [] : [quiet([row])]
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
    throw errors.badRequest('This is the only owner left: make another one first.')
  }
}

/** Whether the organization would have no owner without this account. */
const isLastOwner = (state: RealmState, user: UserRow): boolean => {
  if (!isOwner(user) || user.is_bot || !user.is_active) return false
  for (const other of state.users.values()) {
    if (other.id !== user.id && isOwner(other) && other.is_active && !other.is_bot) return false
  }
  return true
}

/** Refuses to leave the organization without an owner, or without anybody. Throws CANNOT_DEACTIVATE_LAST_USER. */
export const checkNotLast = (state: RealmState, user: UserRow): void => {
  if (isLastOwner(state, user)) {
    throw errors.cannotDeactivateLastUser({ is_last_owner: true, entity: 'organization owner' })
  }
  const others = [...state.users.values()].filter(
    ({ id, is_active, is_system_bot }) => id !== user.id && is_active && !is_system_bot,
  )
  if (others.length === 0) throw errors.cannotDeactivateLastUser({ is_last_owner: false, entity: 'user' })
}
