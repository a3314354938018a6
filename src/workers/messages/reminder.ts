/** Reminds a user of a message, if the user can still read it (protocol/endpoints.md 2.5). */

import { reminderRemoved, reminderText } from '../../domain/messages/reminders.js'
import { entriesChange } from '../../store/log/change.js'
import { loadReadableMessages } from '../../store/messages/narrow/load-messages.js'
import { storeMessages } from '../../store/messages/sending/own-transaction-sends.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { collectSends, composeNotice } from './notices.js'

export const reminder: JobHandler<'reminder'> = async (job) => {
  const { write, realm, payload, job_id } = job
  const { user_id, message_id, reminder_id = job_id, note } = payload
  const { state } = realm
  const entries = [reminderRemoved({ user_id, reminder_id })]
  const user = state.users.get(user_id)
  if (user?.is_active !== true) return { change: entriesChange(entries) }
  const [message] = await loadReadableMessages({ sql: write.sql, state, reader: user }, [message_id])
  if (message === undefined) return { change: entriesChange(entries) }
  const sends = await collectSends([composeNotice(job, { users: [user] }, reminderText(state, message, note))])
  return { change: async () => ({ entries, messages: (tx) => storeMessages(tx, realm, sends) }) }
}
