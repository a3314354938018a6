/** Deletes the newest messages of a topic, and leaves a job for the rest (store/topic-deletion.ts). */
import { deletionOf } from '../store/deletion.js'
import { isLastBatch, newestIn } from '../store/topic-deletion.js'
import type { Work } from './work.js'

export const deleteTopic: Work<'delete_topic'> = async ({ writer, realm, payload }) => {
  const { actor_id, channel_id } = payload
  const actor = realm.state.users.get(actor_id)
  if (actor === undefined) return { change: { entries: [] } }
  const message_ids = await newestIn(writer.sql, realm, actor, payload)
  if (message_ids.length === 0) return { change: { entries: [] } }
  const doomed = { channel_id, user_ids: null, message_ids }
  const change = await deletionOf(writer.sql, realm, doomed, actor_id)
  return { change: isLastBatch(message_ids) ? change : { ...change, jobs: [{ kind: 'delete_topic', payload }] } }
}
