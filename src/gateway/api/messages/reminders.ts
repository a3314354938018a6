/** Reminders of messages. Source: protocol/endpoints.md 2.5; the list and the deletion are of level 399. */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { limits } from '../../../domain/limits/limits.js'
import { reminderObject } from '../../../domain/messages/reminders.js'
import { errors } from '../../../domain/protocol/errors.js'
import { since } from '../../../domain/protocol/later-levels.js'
import { loadReadableMessages } from '../../../store/messages/narrow/load-messages.js'
import { addReminder, loadReminders, removeReminder } from '../../../store/messages/sending/reminders.js'
import { endpoint } from '../../call/endpoint.js'
import { idInPath, int, literal, text, timestamp } from '../../call/params.js'

export const createReminder = endpoint({
  method: 'POST',
  path: '/reminders',
  summary: 'Schedules a direct message that reminds the caller of a message.',
  callers: 'account',
  params: {
    message_id: int(),
    scheduled_delivery_timestamp: timestamp(),
    note: literal(since(415, text({ max: limits.max_reminder_note_length })))
      .default('')
      .describe('a text that the reminder repeats'),
  },
  example: { message_id: '{message_id}', scheduled_delivery_timestamp: '{tomorrow}' },
  response: z.object({ reminder_id: z.int() }),
  async handle({ app, caller: { user }, state, write, params }) {
    const { message_id, scheduled_delivery_timestamp: run_after } = params
    const [message] = await loadReadableMessages({ sql: app.store.sql, state, reader: user }, [message_id])
    if (message === undefined) throw errors.invalidMessages()
    if (run_after <= secondsNow())
      throw errors.badRequest('{name} must be in the future.', { name: 'scheduled_delivery_timestamp' })
    const note = params.note.trim()
    const composeAnswer = (reminder_id: number) => ({ reminder_id })
    return write.answering(composeAnswer, (keyed) => addReminder(keyed, user, message, { run_after, note }))
  },
})

export const getReminders = endpoint({
  method: 'GET',
  path: '/reminders',
  summary: "Lists the caller's reminders that were not sent yet.",
  level: 399,
  callers: 'account',
  params: {},
  response: z.object({ reminders: z.array(reminderObject) }),
  handle: async ({ app, caller: { user }, state }) => ({
    reminders: await loadReminders(app.store.sql, state, user),
  }),
})

export const deleteReminder = endpoint({
  method: 'DELETE',
  path: '/reminders/{reminder_id}',
  summary: 'Deletes a reminder that was not sent yet.',
  level: 399,
  callers: 'account',
  params: { reminder_id: idInPath() },
  response: z.object({}),
  async handle({ caller, write, params }) {
    await removeReminder(write, caller.id, params.reminder_id)
    return {}
  },
})
