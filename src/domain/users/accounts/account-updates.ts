/**
 * What users change about accounts that they administer: name, role and address, and whether an account is active.
 *
 * Source: protocol/endpoints.md 3.7, protocol/permissions.md 16.
 */
import { isAdministrator } from '#rules/roles.js'
import { BotType, type UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import type { Step } from '../../log/steps.js'
import { errors } from '../../protocol/errors.js'
import { canCreateBot, checkBotName } from '../bots/bots.js'
import { validateFullName, validateNewEmail } from '../name-and-email-rules.js'
import { type Account, setAddress, setFullName, setRole } from './account-changes.js'
import { checkOutranks, checkRight, checkRole } from './account-rights.js'

/** The new values of an account; an absent one does not change. */
export interface AccountUpdate {
  full_name?: string | undefined
  role?: number | undefined
  new_email?: string | undefined
}

/**
 * The steps that change an account which the caller administers. Throws BAD_REQUEST and UNAUTHORIZED_PRINCIPAL for
 * values that the caller may not give it.
 */
export const changeAccount = (
  state: RealmState,
  caller: UserRow,
  user: UserRow,
  account: Account,
  { full_name, role, new_email }: AccountUpdate,
): Step[] => {
  const steps: Step[] = []
  if (role !== undefined) {
    checkRole(state, caller, user, role)
    steps.push(setRole(account, role))
  }
  const name = full_name?.trim()
  if (name !== undefined && name !== '' && name !== user.full_name) {
    steps.push(setFullName(account, validateFullName(state, name, user.id)))
  }
  if (new_email !== undefined) {
    if (!isAdministrator(caller))
      throw errors.badRequest('Only administrators may change the email addresses of other users.')
    checkRight(caller, 'can_change_user_emails')
    checkOutranks(caller, user)
    steps.push(setAddress(account, validateNewEmail(state, new_email, user.id)))
  }
  return steps
}

/** Refuses to reactivate a bot that the caller could not create now. Throws BAD_REQUEST. */
export const checkReactivation = (state: RealmState, caller: UserRow, user: UserRow): void => {
  if (!user.is_bot) return
  if (!canCreateBot(state, caller, user.bot_type ?? BotType.generic)) throw errors.insufficientPermission()
  checkBotName(state, user.full_name, user.id)
}

/** The owner of a reactivated account. The caller gets a bot whose owner is not active. */
export const ownerAfterReactivation = (state: RealmState, caller: UserRow, user: UserRow): number | null => {
  const owner = user.bot_owner_id === null ? undefined : state.users.get(user.bot_owner_id)
  return user.is_bot && owner?.is_active !== true ? caller.id : user.bot_owner_id
}
