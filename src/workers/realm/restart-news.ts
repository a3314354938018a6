/** Tells an organization's clients that the server is another release (store/realm/releases.ts). */

import { restarted } from '../../domain/realm/realm-entries.js'
import { entriesChange } from '../../store/log/change.js'
import type { JobHandler } from '../jobs/job-handler.js'

export const restartNews: JobHandler<'restart_news'> = async ({ payload }) => ({
  change: entriesChange([restarted({ server_generation: payload.began_at })]),
})
