/**
 * Tells clients without archived channels that messages of a channel are not starred or unread any more, because it was
 * archived, or are so again.
 */
import { announceArchivedStars, announceArchivedUnread } from '../../store/messages/flags/reach.js'
import type { JobHandler } from '../jobs/job-handler.js'

export const archiveFlags: JobHandler<'archive_flags'> = async ({ realm, payload: { channel_id, user_ids } }) => ({
  change:
    user_ids === null
      ? announceArchivedStars(realm.state, channel_id)
      : announceArchivedUnread(realm.state, channel_id, user_ids),
})
