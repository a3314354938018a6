/** Marks the next messages of a channel or topic as read for a user (store/messages/flags/mark-as-read.ts). */

import { markNextBatch } from '../../store/messages/flags/mark-as-read.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'

export const markRead: JobHandler<'mark_read'> = async ({ write, realm, payload }) => {
  const reader = realm.state.users.get(payload.user_id)
  const change = reader === undefined ? undefined : await markNextBatch(write.sql, realm, reader, payload)
  return change === undefined ? noEffect : { change }
}
