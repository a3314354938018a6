/**
 * The rules for invitations: who may invite into which role, channels and groups, and which addresses are accepted.
 *
 * Source: the API document, endpoint 10; protocol/endpoints.md 1.10 and 3.9; protocol/permissions.md 11.
 */

import { hasContentAccess, mayAddSubscribers } from '#rules/channel-access.js'
import { canAddToGroup } from '#rules/group-access.js'
import { isAdministrator, isGuest, isOwner } from '#rules/roles.js'
import { type Sentence, sentence } from '../../languages/texts.js'
import { limits } from '../../limits/limits.js'
import { Role, type UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { ApiError, errors, type RefusedAddress } from '../../protocol/errors.js'
import { validateRequestedEmail } from '../name-and-email-rules.js'
import { canSeeAddress } from '../users.js'

/** The role, channels and groups that an invitation gives to the new account. */
export interface InvitationGrants {
  invited_as: number
  channel_ids: readonly number[]
  group_ids: readonly number[]
  include_realm_default_subscriptions: boolean
}

/**
 * Refuses a user who may not invite, or not into this role. Guests and bots never may.
 * Throws the errors of protocol/permissions.md 11.1.
 */
export const checkInviter = (user: UserRow, invited_as: number): void => {
  if (user.is_bot || isGuest(user)) throw errors.insufficientPermission()
  if (invited_as <= Role.owner && !isOwner(user)) throw errors.notOwner()
  if (invited_as < user.role) {
    throw errors.badRequest(
      'Insufficient permission: only administrators of the organization may invite into this role.',
    )
  }
}

/**
 * Refuses an inviter who may not add users to these channels and groups. Throws BAD_REQUEST. For the default channels
 * there is no exception: who may not subscribe others invites with `include_realm_default_subscriptions`.
 */
export const checkInvitationGrants = (
  state: RealmState,
  user: UserRow,
  { channel_ids, group_ids }: InvitationGrants,
): void => {
  const channels = channel_ids.map((id) => {
    const channel = state.channels.get(id)
    if (channel === undefined || channel.is_archived || !hasContentAccess(state, user, channel)) {
      throw errors.badRequest(
        'There is no channel with ID {id}, or you have no access to it: no invitation was sent.',
        { id },
      )
    }
    return channel
  })
  if (!channels.every((channel) => mayAddSubscribers(state, user, channel))) {
    throw errors.badRequest('You do not have permission to subscribe other users to channels.')
  }
  for (const id of group_ids) {
    const group = state.groups.get(id)
    if (group === undefined || group.deactivated || group.is_system_group) throw errors.invalidUserGroup()
    if (!canAddToGroup(state, user, group)) throw errors.insufficientPermission()
  }
}

/** Parses the addresses in a text that separates them by commas or lines. It accepts `Ada <ada@example.com>`. */
const parseAddresses = (text: string): string[] => {
  const found = new Map<string, string>()
  for (const piece of text.split(/[\n,]/)) {
    const address = (/<([^<>]*)>\s*$/.exec(piece)?.[1] ?? piece).trim()
    if (address !== '') found.set(address.toLowerCase(), address)
  }
  return [...found.values()]
}

/**
 * Divides the addresses into three lists. The lists have the addresses to invite, those of existing accounts, and those
 * that are not accepted. An account whose address the inviter may not see counts as none: an invitation is stored, and
 * its mail is not sent.
 */
const classifyAddresses = (state: RealmState, inviter: UserRow, emails: readonly string[]) => {
  const fit: string[] = []
  const existing: RefusedAddress[] = []
  const invalid: RefusedAddress[] = []
  for (const email of emails) {
    const found = state.userByEmail(email)
    const user = found !== undefined && canSeeAddress(inviter, found) ? found : undefined
    const reason = user === undefined ? findRefusal(state, email) : undefined
    if (user !== undefined) {
      const isGone = !user.is_active
      existing.push([
        email,
        isGone
          ? sentence('The account with this address is deactivated.')
          : sentence('An account with this email address already exists.'),
        isGone,
      ])
    } else if (reason !== undefined) {
      invalid.push([email, reason, false])
    } else {
      fit.push(email)
    }
  }
  return { fit, existing, invalid }
}

const noneSent = { sent_invitations: false, license_limit_reached: false, daily_limit_reached: false }

/** The addresses that a text names, each once. Throws BAD_REQUEST when there is none, or too many. */
export const parseInvitees = (text: string): string[] => {
  const emails = parseAddresses(text)
  if (emails.length === 0) throw errors.badRequest('Name at least one email address.')
  if (emails.length > limits.max_invitations_at_once) {
    throw errors.badRequest('At most {max} people can be invited at once.', {
      max: limits.max_invitations_at_once,
    })
  }
  return emails
}

/**
 * The addresses that a user may invite, and those that have an account. Throws INVITATION_FAILED when the organization
 * does not accept one of them.
 */
export const validateInvitees = (state: RealmState, inviter: UserRow, emails: readonly string[]) => {
  const { fit, existing, invalid } = classifyAddresses(state, inviter, emails)
  if (invalid.length > 0) {
    throw errors.invitationFailed(
      'No invitation was sent: some of these addresses are not valid or may not join.',
      invalid,
      noneSent,
    )
  }
  return { fit, existing }
}

/**
 * Leaves out the addresses that have an open invitation. Throws INVITATION_FAILED when no address is left.
 * @param invited the addresses with an open invitation, in lower case
 * @returns the addresses to invite, and all others with the reason
 */
export const selectUninvited = (
  { fit, existing }: { fit: readonly string[]; existing: readonly RefusedAddress[] },
  invited: ReadonlySet<string>,
): { newEmails: string[]; skipped: RefusedAddress[] } => {
  const newEmails = fit.filter((email) => !invited.has(email.toLowerCase()))
  const skipped: RefusedAddress[] = [
    ...existing,
    ...fit
      .filter((email) => invited.has(email.toLowerCase()))
      .map((email): RefusedAddress => [email, sentence('Already has an invitation.'), false]),
  ]
  if (newEmails.length === 0)
    throw errors.invitationFailed(
      'No invitation was sent: all of these addresses have or had an account, or are invited already.',
      skipped,
      noneSent,
    )
  return { newEmails, skipped }
}

const findRefusal = (state: RealmState, email: string): Sentence | undefined => {
  try {
    validateRequestedEmail(state, email)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.sentence
    throw error
  }
}

/** Refuses a user who may not revoke or resend the invitation. Throws the errors of protocol/permissions.md 11.1. */
export const checkRevoker = (user: UserRow, invitation: { invited_by: number; invited_as: number }): void => {
  if (invitation.invited_by === user.id) return
  if (!isAdministrator(user)) throw errors.notAdministrator()
  if (invitation.invited_as <= Role.owner && !isOwner(user)) throw errors.notOwner()
}

/** Whether the user may learn the link of an invitation. Anyone who knows it can create the account. */
export const maySeeLink = (user: UserRow, { invited_as }: { invited_as: number }): boolean =>
  !isOwner({ role: invited_as }) || isOwner(user)

/** The address of the page on which the owner of a token joins. It ends with a slash, as existing clients expect. */
export const joinUrl = (realm_url: string, token: string): string => `${realm_url}/join/${token}/`
