/**
 * Mails an invitation to the address that it is for.
 *
 * The mail goes out before the job is marked as done, so it may go out twice when a worker dies in between. The other
 * order could lose it.
 */
import { invitationToken } from '../domain/users/keyring.js'
import { openInvitation } from '../store/users/invitations.js'
import type { Work } from './work.js'

export const invitationMail: Work<'invitation_mail'> = async ({ writer, realm, payload, sendMail }) => {
  const { invitation_id, realm_url } = payload
  const invitation = await openInvitation(writer.sql, realm.state, invitation_id)
  const inviter = invitation && realm.state.users.get(invitation.invited_by)
  const nothing = { change: { entries: [] } }
  if (inviter === undefined || invitation?.email == null) return nothing
  const { name } = realm.state.realm
  const link = `${realm_url}/join/${invitationToken(realm.id, invitation_id)}`
  await sendMail({
    to: invitation.email,
    subject: `${inviter.full_name} invites you to ${name}`,
    text: `${inviter.full_name} (${inviter.delivery_email}) invites you to join ${name}.\n\nTo join, open this address:\n\n${link}\n`,
  })
  return nothing
}
