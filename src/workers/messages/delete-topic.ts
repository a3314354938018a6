/**
 * Deletes the newest messages of a topic, and leaves a job for the rest (store/messages/editing/topic-deletion.ts). With the last of
 * them goes how people follow the topic.
 */
import type { NewEntry } from '../../domain/log/entry.js'
import type { Change } from '../../store/log/change.js'
import { deletionOf, type Gone } from '../../store/messages/editing/deletion.js'
import { isLastBatch, newestIn } from '../../store/messages/editing/topic-deletion.js'
import { forgetTopic } from '../../store/messages/following/user-topics.js'
import type { Transaction } from '../../store/sql.js'
import type { JobHandler } from '../jobs/job-handler.js'

export const deleteTopic: JobHandler<'delete_topic'> = async ({ write, realm, payload }) => {
  const { actor_id, channel_id, topic } = payload
  const actor = realm.state.users.get(actor_id)
  if (actor === undefined) return { change: { entries: [] } }
  const message_ids = await newestIn(write.sql, realm, actor, payload)
  const forget = (tx: Transaction) => forgetTopic(tx, realm.state, channel_id, topic)
  if (message_ids.length === 0) {
    return { change: { entries: [], before: forget, told: (forgotten) => forgotten as NewEntry[] } }
  }
  const doomed = { channel_id, user_ids: null, message_ids }
  const change = await deletionOf(write.sql, realm, doomed, actor_id)
  if (!isLastBatch(message_ids)) {
    // The next one begins below: looking for the newest, it would go through the remains of all that went before.
    const rest = { ...payload, up_to: Math.min(...message_ids) - 1 }
    return { change: { ...change, jobs: [{ kind: 'delete_topic', payload: rest }] } }
  }
  return {
    change: {
      entries: [],
      before: async (tx) => ({
        gone: await change.before(tx),
        forgotten: await forget(tx),
      }),
      told: ({ gone, forgotten }: { gone: Gone; forgotten: NewEntry[] }) => [...change.told(gone), ...forgotten],
    } satisfies Change<{ gone: Gone; forgotten: NewEntry[] }>,
  }
}
