/** Mails of invitations: to an invited address, and to the address of a user who joins by a reusable invitation. */
import { secondsNow } from '#rules/time.js'
import { accountTexts, organizationTexts } from '../../domain/readers/reader-texts.js'
import { joinUrl } from '../../domain/users/accounts/invitations.js'
import { loadOpenInvitation } from '../../store/users/invitations.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { mailParagraphs } from './mail-paragraphs.js'

/** Sends the link of an invitation to the invited address. */
export const invitationMail: JobHandler<'invitation_mail'> = async (job) => {
  const { write, realm, payload } = job
  const { invitation_id, realm_url } = payload
  const invitation = await loadOpenInvitation(write.sql, realm.state, invitation_id)
  const inviter = invitation && realm.state.users.get(invitation.invited_by)
  if (inviter === undefined || invitation?.email == null) return noEffect
  // Its inviter may not know of the account (domain/users/accounts/invitations.ts, `classifyAddresses`).
  if (realm.state.userByEmail(invitation.email) !== undefined) return noEffect
  const t = organizationTexts(realm.state)
  const { name: organization } = realm.state.realm
  const { full_name: name, delivery_email: email } = inviter
  const link = joinUrl(realm_url, realm.state.deployment.keys.invitationToken(realm.id, invitation_id))
  const to = invitation.email
  const text = [
    t('{name} ({email}) invites you to join {organization}.', { name, email, organization }),
    t('To join, open this address:\n\n{link}', { link }),
  ]
  const subject = t('{name} invites you to {organization}', { name, organization })
  return mailParagraphs(job, { to, subject, paragraphs: text })
}

/** How long a user has to confirm the address and join, in seconds. */
const JOIN_SECONDS = 86_400

/**
 * Asks a user who joins by a reusable invitation to confirm the address. A user who has an account is reminded of it
 * instead.
 */
export const joinMail: JobHandler<'join_mail'> = async (job) => {
  const { write, realm, payload } = job
  const { invitation_id, email, realm_url } = payload
  const { state } = realm
  const invitation = await loadOpenInvitation(write.sql, state, invitation_id)
  if (invitation === undefined) return noEffect
  const { name: organization } = state.realm
  const user = state.userByEmail(email)
  const t = user === undefined ? organizationTexts(state) : accountTexts(user)
  const occasion = t('A user with an invitation to {organization} entered this address to join.', { organization })
  if (user !== undefined) {
    const known = [
      occasion,
      t('This address has an account already. If that was you, log in:\n\n{link}', { link: realm_url }),
      t('If not, there is nothing to do.'),
    ]
    const subject = t('Your account of {organization}', { organization })
    return mailParagraphs(job, { to: email, subject, paragraphs: known })
  }
  const expires_at = secondsNow() + JOIN_SECONDS
  const link = joinUrl(realm_url, state.deployment.keys.joinToken(realm.id, { invitation_id, expires_at, email }))
  const text = [
    occasion,
    t('If that was you, choose your name and password on this page within a day:\n\n{link}', { link }),
    t('If not, there is nothing to do: no account was created.'),
  ]
  return mailParagraphs(job, { to: email, subject: t('Join {organization}', { organization }), paragraphs: text })
}
