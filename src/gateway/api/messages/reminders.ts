/**
 * Reminders of messages. A reminder is a job that is due at its time, and has the id of that job.
 *
 * Source: endpoints.md 2.5.
 */
import { z } from 'zod'
import { secondsNow } from '../../../domain/permissions/permissions.js'
import { errors } from '../../../domain/protocol/errors.js'
import { writeJobs } from '../../../store/jobs/job-table.js'
import { checkAddedRows } from '../../../store/limits/stored-rows.js'
import { commit } from '../../../store/log/change.js'
import { loadReadableMessages } from '../../../store/messages/narrow/load-messages.js'
import { endpoint } from '../../http/endpoint.js'
import { int } from '../../http/params.js'

export const createReminder = endpoint({
  method: 'POST',
  path: '/reminders',
  summary: 'Schedules a direct message that reminds the caller of a message.',
  access: 'account',
  params: { message_id: int(), scheduled_delivery_timestamp: int().describe('UNIX seconds') },
  response: z.object({ reminder_id: z.int() }),
  async handle({ app, caller: { user }, realm, state, write, params }) {
    const { message_id, scheduled_delivery_timestamp: run_after } = params
    const [message] = await loadReadableMessages({ sql: app.store.sql, state, reader: user }, [message_id])
    if (message === undefined) throw errors.invalidMessages()
    if (run_after <= secondsNow()) throw errors.badRequest('scheduled_delivery_timestamp must be in the future.')
    const reminder_id = await commit(write, async (tx) => {
      // The job is written here and not returned with the entries, because the answer contains its id.
      const payload = { user_id: user.id, message_id }
      const [job] = await writeJobs(tx, realm.id, [{ kind: 'reminder', payload, run_after }])
      await checkAddedRows(tx, 'reminders', { realm_id: realm.id, user_id: user.id })
      return { entries: [], result: job?.id ?? 0 }
    })
    return { reminder_id }
  },
})
