/** Writes to a user who joined by an invitation: the text of the invitation, or that of the organization. */

import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { collectSends, composeNotice, composeSendEffect } from '../messages/notices.js'

export const welcomeMessage: JobHandler<'welcome_message'> = async (job) => {
  const { state } = job.realm
  const { user_id, invitation_text } = job.payload
  const user = state.users.get(user_id)
  const text = invitation_text ?? state.settings.welcome_message_custom_text
  if (user?.is_active !== true || text === '') return noEffect
  return composeSendEffect(job.realm, await collectSends([composeNotice(job, { users: [user] }, text)]))
}
