/**
 * Deletes a topic by a chain of jobs, because a topic is too large for one transaction. Each job deletes the newest
 * messages and enqueues the next job in the same transaction. The deletion is complete when no such job is left.
 *
 * Messages that are sent to the topic after the request began are not deleted.
 */

import type { UserRow } from '../../../domain/log/rows.js'
import { topicConditions } from '../../../domain/messages/narrow/narrow.js'
import { isRunning } from '../../jobs/job-ends.js'
import { commitEntries } from '../../log/change.js'
import { loadNewestMessageId } from '../../log/log.js'
import type { Realm } from '../../log/realm.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Sql } from '../../sql.js'
import { selectPageIds } from '../narrow/select-page-ids.js'

export interface TopicToDelete {
  channel_id: number
  topic: string
}

/** Messages per transaction (messages.md 4.6). */
const BATCH = 100

/** The newest messages of the topic up to `up_to` that the actor can read, newest first. */
export const selectNewestMessages = (
  sql: Sql,
  realm: Realm,
  actor: UserRow,
  { channel_id, topic, up_to }: TopicToDelete & { up_to: number },
): Promise<number[]> => {
  const { state } = realm
  const conditions = topicConditions(channel_id, topic)
  const includesHistory = state.channels.get(channel_id)?.history_public_to_subscribers ?? false
  const query = { sql, state, reader: actor, narrow: { conditions, includesHistory } }
  return selectPageIds(query, { below: up_to + 1, limit: BATCH })
}

/** Whether no further batch can follow. */
export const isLastBatch = (ids: readonly number[]): boolean => ids.length < BATCH

/** Starts the deletion of the topic, unless one is already running. Throws StaleStateError. */
export const startTopicDeletion = async (
  context: WriteContext,
  actor: UserRow,
  topic: TopicToDelete,
): Promise<void> => {
  const { realm } = context
  if (await isRunning(context.sql, realm.id, { kind: 'delete_topic', ...topic })) return
  const payload = { actor_id: actor.id, ...topic, up_to: await loadNewestMessageId(context.sql, realm.id) }
  await commitEntries(context, [], [{ kind: 'delete_topic', payload }])
}
