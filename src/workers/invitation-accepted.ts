/** Tells whoever invited somebody that they have joined. */
import { mention, notice, sendable } from './notices.js'
import type { Work } from './work.js'

export const invitationAccepted: Work<'invitation_accepted'> = async (assignment) => {
  const { state } = assignment.realm
  const [user, inviter] = [state.users.get(assignment.payload.user_id), state.users.get(assignment.payload.inviter_id)]
  if (user === undefined || inviter?.is_active !== true) return { sends: [] }
  const content = `${mention(user)} accepted your invitation to join.`
  return { sends: await sendable([notice(assignment, { users: [inviter] }, content)]) }
}
