/** Tells an organization's clients that the server is another release (store/releases.ts). */
import { restarted } from '../domain/entries/realm.js'
import type { Work } from './work.js'

export const restartNews: Work<'restart_news'> = async ({ payload }) => ({
  change: { entries: [restarted({ server_generation: payload.began_at })] },
})
