/**
 * Scheduled messages.
 *
 * 1. Every delivery time has its own job. A job sends the message only if the message still has that delivery time, so
 *    a change of the time need not find the earlier job.
 * 2. The transaction that sends the message deletes the row: so it is sent once.
 */
import {
  type ScheduledMessage,
  scheduledMessageAdded,
  scheduledMessageRemoved,
  scheduledMessageUpdated,
} from '../../../domain/messages/scheduled-message-entries.js'
import { errors } from '../../../domain/protocol/errors.js'
import type { JobSpec } from '../../jobs/job-table.js'
import { checkAddedRows, checkChangedRows } from '../../limits/stored-rows.js'
import { type Change, commit } from '../../log/change.js'
import type { Realm } from '../../log/realm.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Db, Fragment } from '../../sql.js'
import { storeInOwnTransaction } from './own-transaction-sends.js'
import type { Send } from './send-combiner.js'

/** A row of scheduled_messages. */
export interface ScheduledRow {
  id: number
  user_id: number
  channel_id: number | null
  user_ids: number[] | null
  topic: string
  content: string
  rendered_content: string
  /** UNIX seconds */
  deliver_at: number
  client: string
  realm_url: string
  read_by_sender: boolean | null
  failed: boolean
}

/** The message as its sender sees it. */
export const buildScheduledMessage = (row: ScheduledRow): ScheduledMessage => ({
  scheduled_message_id: row.id,
  ...(row.channel_id === null
    ? { type: 'private', to: row.user_ids ?? [] }
    : { type: 'stream', to: row.channel_id, topic: row.topic }),
  content: row.content,
  rendered_content: row.rendered_content,
  scheduled_delivery_timestamp: row.deliver_at,
  failed: row.failed,
})

const columns = (sql: Db): Fragment => sql`
  id, user_id, channel_id, user_ids, topic, content, rendered_content, deliver_at, client, realm_url, read_by_sender,
  failed`

/** The scheduled messages of a user, by delivery time. Index: scheduled_messages_user. */
export const loadScheduledMessages = (sql: Db, realm_id: number, user_id: number): Promise<ScheduledRow[]> => sql<
  ScheduledRow[]
>`
  select ${columns(sql)} from scheduled_messages
  where realm_id = ${realm_id} and user_id = ${user_id}
  order by deliver_at, id`

/** The row, if the message was neither sent nor cancelled. */
export const loadScheduledRow = async (sql: Db, realm_id: number, id: number): Promise<ScheduledRow | undefined> => {
  const [row] = await sql<ScheduledRow[]>`
    select ${columns(sql)} from scheduled_messages where realm_id = ${realm_id} and id = ${id}::bigint`
  return row
}

/** Reads the seconds since a delivery time, by the clock of Postgres. The clock of this process may be wrong. */
export const readLateness = async (sql: Db, deliver_at: number): Promise<number> => {
  const [row] = await sql<
    { seconds: number }[]
  >`select floor(extract(epoch from now()))::int8 - ${deliver_at} as seconds`
  return row?.seconds ?? 0
}

const deliveryJob = ({ id, deliver_at }: ScheduledRow): JobSpec => ({
  kind: 'scheduled_message',
  payload: { id, deliver_at },
  run_after: deliver_at,
})

/** Schedules a message. Throws BAD_REQUEST above the limit, and StaleStateError. @returns its id */
export const scheduleMessage = async (
  context: WriteContext,
  kept: Omit<ScheduledRow, 'id' | 'failed'>,
): Promise<number> => {
  const { realm } = context
  const { user_id } = kept
  return commit(context, async (tx) => {
    const [{ id } = { id: 0 }] = await tx<{ id: number }[]>`
        insert into scheduled_messages (
          realm_id, user_id, channel_id, user_ids, topic, content, rendered_content, deliver_at, client, realm_url,
          read_by_sender
        ) values (
          ${realm.id}, ${user_id}, ${kept.channel_id}, ${kept.user_ids}::int[], ${kept.topic}, ${kept.content},
          ${kept.rendered_content}, ${kept.deliver_at}, ${kept.client}, ${kept.realm_url}, ${kept.read_by_sender}
        )
        returning id`
    await checkAddedRows(tx, 'scheduled_messages', { realm_id: realm.id, user_id })
    const row = { ...kept, id, failed: false }
    return {
      entries: [scheduledMessageAdded({ user_id, scheduled_message: buildScheduledMessage(row) })],
      jobs: [deliveryJob(row)],
      result: id,
    }
  })
}

/** Replaces a scheduled message. Throws BAD_REQUEST when it was sent or cancelled, and StaleStateError. */
export const replaceScheduledMessage = async (
  context: WriteContext,
  row: Omit<ScheduledRow, 'failed'>,
): Promise<void> => {
  const { realm } = context
  const after = { ...row, failed: false }
  await commit(context, async (tx) => {
    const changed = await tx`
        update scheduled_messages set channel_id = ${row.channel_id}, user_ids = ${row.user_ids}::int[],
          topic = ${row.topic}, content = ${row.content}, rendered_content = ${row.rendered_content},
          deliver_at = ${row.deliver_at}, client = ${row.client}, realm_url = ${row.realm_url},
          read_by_sender = ${row.read_by_sender}, failed = false
        where realm_id = ${realm.id} and id = ${row.id}`
    if (changed.count === 0) throw errors.scheduledMessageDoesNotExist()
    await checkChangedRows(tx, 'scheduled_messages', { realm_id: realm.id, user_id: row.user_id })
    return {
      entries: [scheduledMessageUpdated({ user_id: row.user_id, scheduled_message: buildScheduledMessage(after) })],
      jobs: [deliveryJob(after)],
    }
  })
}

/** Cancels a scheduled message. Throws BAD_REQUEST when there is none, and StaleStateError. */
export const cancelScheduledMessage = (context: WriteContext, user_id: number, id: number): Promise<void> =>
  commit(context, async (tx) => {
    const deleted = await tx`
        delete from scheduled_messages where realm_id = ${context.realm.id} and id = ${id}::bigint and user_id = ${user_id}`
    if (deleted.count === 0) throw errors.scheduledMessageDoesNotExist()
    return { entries: [scheduledMessageRemoved({ user_id, scheduled_message_id: id })] }
  })

/**
 * Composes the change that sends the message (1, 2). It sends nothing if the message was changed or cancelled
 * meanwhile. Throws StaleStateError.
 */
export const deliverScheduledMessage =
  (realm: Realm, row: ScheduledRow, send: Send): Change =>
  async (tx) => {
    const deleted = await tx`
        delete from scheduled_messages
        where realm_id = ${realm.id} and id = ${row.id} and deliver_at = ${row.deliver_at} and content = ${row.content}
          and not failed`
    if (deleted.count === 0) return { entries: [] }
    await storeInOwnTransaction(tx, realm, send)
    return { entries: [scheduledMessageRemoved({ user_id: row.user_id, scheduled_message_id: row.id })] }
  }

/** The change that marks the message as failed. */
export const failScheduledMessage =
  (realm: Realm, row: ScheduledRow): Change =>
  async (tx) => {
    const failed = await tx`
        update scheduled_messages set failed = true
        where realm_id = ${realm.id} and id = ${row.id} and deliver_at = ${row.deliver_at} and not failed`
    if (failed.count === 0) return { entries: [] }
    const scheduled_message = buildScheduledMessage({ ...row, failed: true })
    return { entries: [scheduledMessageUpdated({ user_id: row.user_id, scheduled_message })] }
  }
