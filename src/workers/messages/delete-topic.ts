/**
 * Deletes the newest messages of a topic, and adds a job for the rest (store/messages/editing/topic-deletion.ts).
 * The last batch also deletes the users' visibility policies for the topic.
 */

import { type Change, combineChanges, entriesChange } from '../../store/log/change.js'
import { prepareDeletion } from '../../store/messages/editing/delete-messages.js'
import { isLastBatch, selectNewestMessages } from '../../store/messages/editing/topic-deletion.js'
import { deleteTopicPolicies } from '../../store/messages/following/topic-policies.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'

export const deleteTopic: JobHandler<'delete_topic'> = async ({ write, realm, payload }) => {
  const { actor_id, channel_id, topic, deletion_id } = payload
  const actor = realm.state.users.get(actor_id)
  if (actor === undefined) return noEffect
  const message_ids = await selectNewestMessages(write.sql, realm, actor, payload)
  const forget: Change = async (tx) => ({ entries: await deleteTopicPolicies(tx, realm.state, channel_id, topic) })
  if (message_ids.length === 0) return { change: forget }
  const messages = { channel_id, user_ids: null, message_ids }
  const deletion = await prepareDeletion(write.sql, realm, messages, actor_id, deletion_id)
  if (isLastBatch(message_ids)) return { change: combineChanges([deletion, forget]) }
  // The next job starts below these ids: otherwise its search would scan the dead rows of all earlier batches.
  const rest = { ...payload, up_to: Math.min(...message_ids) - 1 }
  return { change: combineChanges([deletion, entriesChange([], [{ kind: 'delete_topic', payload: rest }])]) }
}
