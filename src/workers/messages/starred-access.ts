/** Tells users which of their starred messages they cannot reach any more, or reach again, after a change of access. */
import { announceStarredAccess } from '../../store/messages/flags/reach.js'
import type { JobHandler } from '../jobs/job-handler.js'

export const starredAccess: JobHandler<'starred_access'> = async ({ realm, payload: { user_ids, channel_ids } }) => ({
  change: announceStarredAccess(realm.state, channel_ids, user_ids),
})
