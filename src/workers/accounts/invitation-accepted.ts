/** Notifies the inviter that an invited user has joined. */

import { silentMention } from '../../domain/messages/quoting.js'
import { noticeTexts } from '../../domain/readers/notice-texts.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { collectSends, composeNotice, composeSendEffect } from '../messages/notices.js'

export const invitationAccepted: JobHandler<'invitation_accepted'> = async (job) => {
  const { state } = job.realm
  const [user, inviter] = [state.users.get(job.payload.user_id), state.users.get(job.payload.inviter_id)]
  if (user === undefined || inviter?.is_active !== true) return noEffect
  const t = noticeTexts(state)
  const content = t('{user} accepted your invitation to join.', { user: silentMention(user) })
  return composeSendEffect(job.realm, await collectSends([composeNotice(job, { users: [inviter] }, content)]))
}
