/**
 * Reminders. A reminder is a job that is due at its time. The worker that sends it marks the job as done, so a reminder
 * that was sent is no longer in the list. A reminder has the id of its job; after a move to another cell, in which the
 * job has another id, the payload has the id of the reminder (store/realm/realm-move.ts, 5).
 */
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import type { QuotedMessage } from '../../../domain/messages/quoting.js'
import {
  listedReminderText,
  type Reminder,
  reminderAdded,
  reminderRemoved,
} from '../../../domain/messages/reminders.js'
import { errors } from '../../../domain/protocol/errors.js'
import { notificationBot } from '../../../domain/realm/notification-bot.js'
import { writeJobs } from '../../jobs/job-table.js'
import { checkAddedRows } from '../../limits/stored-rows.js'
import { commit } from '../../log/change.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Db, Fragment, Sql } from '../../sql.js'
import { loadReadableMessages } from '../narrow/load-messages.js'
import { renderContent } from './render-content.js'

interface ReminderRow {
  id: number
  message_id: number
  /** UNIX seconds */
  run_after: number
  /** what the user wrote about the message; may be empty */
  note: string
}

/** Stores a reminder. @returns its id. Throws BAD_REQUEST above the limit, and StaleStateError. */
export const addReminder = async (
  context: WriteContext,
  user: UserRow,
  message: QuotedMessage,
  { run_after, note }: { run_after: number; note: string },
): Promise<number> => {
  const { realm, sql } = context
  const texts = await renderText(sql, realm.state, message, note)
  const owner = { realm_id: realm.id, user_id: user.id }
  return commit(context, async (tx) => {
    // The job is written here and not returned with the entries, because the answer contains its id.
    const payload = { user_id: user.id, message_id: message.id, ...(note === '' ? {} : { note }) }
    const [job] = await writeJobs(tx, realm.id, [{ kind: 'reminder', payload, run_after }])
    await checkAddedRows(tx, 'reminders', owner)
    const id = job?.id ?? 0
    const reminder = composeReminder(user.id, { id, message_id: message.id, run_after, note }, texts)
    return { entries: [reminderAdded({ user_id: user.id, reminder })], result: id }
  })
}

/** The id of the reminder of a row of `jobs`. */
const reminderId = (sql: Db): Fragment => sql`coalesce((payload ->> 'reminder_id')::bigint, jobs.id)`

/** The reminders of a user that were not sent yet, by time. Index: jobs_open_reminders. */
export const loadReminders = async (sql: Sql, state: RealmState, user: UserRow): Promise<Reminder[]> => {
  const rows = await sql<ReminderRow[]>`
    select ${reminderId(sql)} as id, (payload ->> 'message_id')::bigint as message_id, extract(epoch from run_after)::bigint as run_after,
      coalesce(payload ->> 'note', '') as note
    from jobs
    where realm_id = ${state.realm.id} and kind = 'reminder' and done_at is null
      and (payload ->> 'user_id')::int = ${user.id}
    order by jobs.run_after, 1`
  const ids = [...new Set(rows.map(({ message_id }) => message_id))].sort((a, b) => a - b)
  const messages = new Map(
    (await loadReadableMessages({ sql, state, reader: user }, ids)).map((message) => [message.id, message]),
  )
  const reminders: Reminder[] = []
  // Each text takes a part of a millisecond, and a user may have many.
  for (const row of rows) {
    const texts = await renderText(sql, state, messages.get(row.message_id), row.note)
    reminders.push(composeReminder(user.id, row, texts))
    if (reminders.length % RENDERED_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return reminders
}

const RENDERED_AT_ONCE = 20

/** Deletes a reminder. Throws BAD_REQUEST when the user has no such reminder, or it was sent, and StaleStateError. */
export const removeReminder = (context: WriteContext, user_id: number, id: number): Promise<void> =>
  commit(context, async (tx) => {
    const deleted = await tx`
      delete from jobs
      where ${reminderId(tx)} = ${id} and realm_id = ${context.realm.id} and kind = 'reminder' and done_at is null
        and (payload ->> 'user_id')::int = ${user_id}`
    if (deleted.count === 0) throw errors.reminderDoesNotExist()
    return { entries: [reminderRemoved({ user_id, reminder_id: id })] }
  })

interface Texts {
  content: string
  rendered_content: string
}

const renderText = async (
  sql: Sql,
  state: RealmState,
  message: QuotedMessage | undefined,
  note: string,
): Promise<Texts> => {
  const content = listedReminderText(state, message, note)
  const sender = notificationBot(state)
  if (sender === undefined) return { content, rendered_content: '' }
  const { html } = await renderContent(sql, state, sender, content, { realm_url: undefined, isKnown: () => true })
  return { content, rendered_content: html }
}

const composeReminder = (user_id: number, row: ReminderRow, texts: Texts): Reminder => ({
  reminder_id: row.id,
  type: 'private',
  to: [user_id],
  ...texts,
  scheduled_delivery_timestamp: row.run_after,
  failed: false,
  reminder_target_message_id: row.message_id,
  ...(row.note === '' ? {} : { note: row.note }),
})
