/** Tells whoever invited somebody that they have joined. */

import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { mention, notice, sendable, sendEffect } from '../messages/notices.js'

export const invitationAccepted: JobHandler<'invitation_accepted'> = async (assignment) => {
  const { state } = assignment.realm
  const [user, inviter] = [state.users.get(assignment.payload.user_id), state.users.get(assignment.payload.inviter_id)]
  if (user === undefined || inviter?.is_active !== true) return noEffect
  const content = `${mention(user)} accepted your invitation to join.`
  return sendEffect(assignment.realm, await sendable([notice(assignment, { users: [inviter] }, content)]))
}
