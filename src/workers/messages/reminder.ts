/** Reminds a user of a message, if the user can still read it (endpoints.md 2.5). */

import { messageMention, quoteMessage } from '../../domain/messages/quoting.js'
import { loadReadableMessages } from '../../store/messages/narrow/load-messages.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { collectSends, composeNotice, composeSendEffect } from './notices.js'

export const reminder: JobHandler<'reminder'> = async (job) => {
  const { write, realm, payload } = job
  const { state } = realm
  const user = state.users.get(payload.user_id)
  if (user?.is_active !== true) return noEffect
  const [message] = await loadReadableMessages({ sql: write.sql, state, reader: user }, [payload.message_id])
  if (message === undefined) return noEffect
  const content = `You requested a reminder for ${messageMention(state, message)}.\n\n${quoteMessage(state, message)}`
  return composeSendEffect(realm, await collectSends([composeNotice(job, { users: [user] }, content)]))
}
