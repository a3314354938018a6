/**
 * What users may change about their own accounts: the name, the address, the settings.
 *
 * Source: the API document, endpoint 4; protocol/endpoints.md 1.4.
 */
import { isAdministrator } from '#rules/roles.js'
import type { UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import type { Step } from '../../log/steps.js'
import { errors } from '../../protocol/errors.js'
import type { UserSettings } from '../../settings/user-settings.js'
import { validateFullName, validateNewEmail, validateRequestedEmail } from '../name-and-email-rules.js'
import { type Account, renewKey, setFullName, setSettings, setTimeZone } from './account-changes.js'

/** The new values of an account; an absent one does not change. */
export interface OwnChanges {
  full_name?: string | undefined
  timezone?: string | undefined
  settings: Partial<UserSettings>
  /** a new password ends the API key of before */
  hasNewPassword: boolean
}

/** The steps that change the user's own account. Throws BAD_REQUEST for a name that is not accepted. */
export const changeOwnAccount = (state: RealmState, user: UserRow, account: Account, changes: OwnChanges): Step[] => {
  const { full_name, timezone, settings, hasNewPassword } = changes
  const steps: Step[] = []
  if (full_name !== undefined && mayRename(state, user)) {
    const name = full_name.trim()
    if (name !== user.full_name) steps.push(setFullName(account, validateFullName(state, name, user.id)))
  }
  steps.push(setSettings(account, settings))
  if (timezone !== undefined) steps.push(setTimeZone(account, timezone))
  if (hasNewPassword) steps.push(renewKey(user.id))
  return steps
}

/** Whether the user may change their own name. If not, a new name is ignored. */
const mayRename = (state: RealmState, user: UserRow): boolean =>
  !state.settings.name_changes_disabled || isAdministrator(user)

/**
 * The address that a user requests for their own account. It is undefined for none, or for the present one. Whether
 * another account has it is checked when the user confirms it. Throws BAD_REQUEST.
 */
export const validateRequestedOwnEmail = (state: RealmState, user: UserRow, input: string): string | undefined => {
  if (input === '' || input.trim() === user.delivery_email) return undefined
  checkEmailChange(state, user)
  return validateRequestedEmail(state, input)
}

/** The address to which a user changes their own account, as it is stored. Throws BAD_REQUEST. */
export const validateOwnEmail = (state: RealmState, user: UserRow, input: string): string => {
  checkEmailChange(state, user)
  return validateNewEmail(state, input, user.id)
}

const checkEmailChange = (state: RealmState, user: UserRow): void => {
  if (state.settings.email_changes_disabled && !isAdministrator(user)) {
    throw errors.badRequest('Only administrators may change email addresses in this organization.')
  }
}
