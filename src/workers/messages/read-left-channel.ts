/** Marks as read what users had not read in a channel when they unsubscribed, with events for their clients. */
import { markLeftAsRead } from '../../store/messages/flags/left-channels.js'
import type { JobHandler } from '../jobs/job-handler.js'

export const readLeftChannel: JobHandler<'read_left_channel'> = async ({ realm, payload }) => ({
  change: markLeftAsRead(realm.id, payload.channel_id, payload.user_ids),
})
