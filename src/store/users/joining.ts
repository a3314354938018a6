/** Creates the account of an invited user, who chooses its name and its password; what users who sign up share. */
import { requireGroupChannels } from '../../domain/channels/default-channel-groups.js'
import { errors } from '../../domain/protocol/errors.js'
import { validateEmail, validateFullName } from '../../domain/users/name-and-email-rules.js'
import { StaleStateError } from '../log/log.js'
import type { Realm } from '../log/realm.js'
import type { WriteContext } from '../log/write-context.js'
import { acceptInvitation, type InvitationRow, isOpenInvitation } from './invitations.js'
import { hashPassword, isWeakPassword } from './passwords.js'
import { composeWelcomeJobs } from './users.js'

/** What an invited user enters, and the address for which the link was mailed. */
export interface JoiningUser {
  email: string
  full_name: string
  password: string
  /** the names of groups of default channels, to whose channels the user wants to be subscribed */
  channel_groups?: readonly string[]
  /** the language of the browser; undefined: it is not known, so the account has that of the organization */
  language?: string | undefined
}

/** The new account, as the answer contains it. */
export interface JoinedAccount {
  user_id: number
  email: string
  api_key: string
}

/** Where the organization is. */
export interface JoinPlace {
  /** the organization's host name */
  host: string
  /** what the links in the mails begin with */
  realm_url: string
}

/**
 * The hash of the password of a new account. Throws BAD_REQUEST for one that is easy to guess, and SERVER_NOT_READY.
 */
export const hashNewPassword = async (
  input: Pick<JoiningUser, 'email' | 'full_name' | 'password'>,
): Promise<string> => {
  if (await isWeakPassword(input.password, [input.email, input.full_name])) {
    throw errors.badRequest('The password is too easy to guess: choose a longer one.')
  }
  return hashPassword(input.password)
}

/** The account that a user has created. Throws StaleStateError when it was deleted meanwhile. */
export const composeJoinedAccount = ({ id, state }: Realm, user_id: number): JoinedAccount => {
  const user = state.users.get(user_id)
  // The commit applied the rows of the account, so it is missing only if it was deleted meanwhile.
  if (user === undefined) throw new StaleStateError()
  const { delivery_email: email, key_version } = user
  return { user_id, email, api_key: state.deployment.keys.apiKey(id, user_id, key_version) }
}

/**
 * Creates the account.
 * Throws BAD_REQUEST, UNAUTHORIZED for an invitation that is not open any more, SERVER_NOT_READY, and StaleStateError.
 */
export const joinByInvitation = async (
  context: WriteContext,
  { host, realm_url }: JoinPlace,
  invitation: InvitationRow,
  input: JoiningUser,
): Promise<JoinedAccount> => {
  // Before the structure lock, for which other requests wait.
  const password_hash = await hashNewPassword(input)
  const { realm } = context
  const user_id = await context.withStructureLock(async (write) => {
    const { state } = realm
    if (!state.realm.is_active) throw errors.realmDeactivated()
    if (!isOpenInvitation(state, invitation)) throw errors.noSuchInvitation()
    const email = validateEmail(state, input.email)
    const full_name = validateFullName(state, input.full_name)
    const channel_ids = requireGroupChannels(state, invitation.invited_as, input.channel_groups ?? [])
    const settings = input.language === undefined ? {} : { default_language: input.language }
    const account = { email, full_name, password_hash, channel_ids, settings }
    return acceptInvitation(write, host, invitation, account, composeWelcomeJobs(state, realm_url))
  })
  return composeJoinedAccount(realm, user_id)
}
