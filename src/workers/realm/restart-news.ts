/** Tells an organization's clients that the server is another release (store/realm/releases.ts). */
import { restarted } from '../../domain/realm/realm-entries.js'
import type { JobHandler } from '../jobs/job-handler.js'

export const restartNews: JobHandler<'restart_news'> = async ({ payload }) => ({
  change: { entries: [restarted({ server_generation: payload.began_at })] },
})
