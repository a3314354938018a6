/** Mails an invitation to the invited address. */
import { loadOpenInvitation } from '../../store/users/invitations.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'

export const invitationMail: JobHandler<'invitation_mail'> = async ({ write, realm, payload, sendMail, outside }) => {
  const { invitation_id, realm_url } = payload
  const invitation = await loadOpenInvitation(write.sql, realm.state, invitation_id)
  const inviter = invitation && realm.state.users.get(invitation.invited_by)
  if (inviter === undefined || invitation?.email == null) return noEffect
  const { name } = realm.state.realm
  const link = `${realm_url}/join/${realm.state.deployment.keys.invitationToken(realm.id, invitation_id)}`
  const to = invitation.email
  const text = [
    `${inviter.full_name} (${inviter.delivery_email}) invites you to join ${name}.`,
    `To join, open this address:\n\n${link}`,
  ]
  await outside(() =>
    sendMail({ to, subject: `${inviter.full_name} invites you to ${name}`, text: `${text.join('\n\n')}\n` }),
  )
  return noEffect
}
