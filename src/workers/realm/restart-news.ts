/** Sends an organization's clients the `restart` event of a new release (store/realm/releases.ts). */

import { restarted } from '../../domain/realm/realm-entries.js'
import { entriesChange } from '../../store/log/change.js'
import type { JobHandler } from '../jobs/job-handler.js'

export const restartNews: JobHandler<'restart_news'> = async ({ payload }) => ({
  change: entriesChange([restarted({ server_generation: payload.began_at })]),
})
