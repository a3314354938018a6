/**
 * Sends a scheduled message, with the permissions that its sender has at that time.
 *
 * A message more than MAX_DELAY_SECS late is not sent: its text may have been meant for that time. Source:
 * protocol/endpoints.md 3.3.
 */

import { ApiError } from '../../domain/protocol/errors.js'
import {
  deliverScheduledMessage,
  failScheduledMessage,
  loadScheduledRow,
  readLateness,
} from '../../store/messages/sending/scheduled-messages.js'
import { composeSend } from '../../store/messages/sending/send-message.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'

/** Seconds. */
const MAX_DELAY_SECS = 600

export const scheduledMessage: JobHandler<'scheduled_message'> = async ({ write, realm, payload }) => {
  const { state } = realm
  const row = await loadScheduledRow(write.sql, realm.id, payload.id)
  if (row === undefined || row.failed || row.deliver_at !== payload.deliver_at) return noEffect
  const sender = state.users.get(row.user_id)
  if (sender?.is_active !== true || (await readLateness(write.sql, row.deliver_at)) > MAX_DELAY_SECS)
    return { change: failScheduledMessage(realm, row) }
  const recipients = (row.user_ids ?? []).flatMap((id) => state.users.get(id) ?? [])
  if (recipients.some(({ is_active }) => !is_active)) return { change: failScheduledMessage(realm, row) }
  try {
    const send = await composeSend(write, {
      sender,
      to: row.channel_id === null ? { users: recipients } : { channel: row.channel_id, topic: row.topic },
      content: row.content,
      client: row.client,
      realm_url: row.realm_url,
      read_by_sender: row.read_by_sender ?? undefined,
    })
    return { change: deliverScheduledMessage(realm, row, send) }
  } catch (error) {
    if (error instanceof ApiError) return { change: failScheduledMessage(realm, row) }
    throw error
  }
}
