/**
 * Deletes a topic by a chain of jobs, because a topic is too large for one transaction. Each job deletes the newest
 * messages and enqueues the next job in the same transaction.
 *
 * 1. The deletion is complete when the topic has no message that the actor can read, whatever the jobs do: also without
 *    a worker, and when a job ended without its effect.
 * 2. Messages that are sent to the topic after the request began are not deleted by it, so it is not complete then.
 */

import { randomUUID } from 'node:crypto'
import type { UserRow } from '../../../domain/log/rows.js'
import { topicConditions } from '../../../domain/messages/narrow/narrow.js'
import { storeDeletion } from '../../audit/record-acts.js'
import { isRunning, type JobChain, waitForJobs } from '../../jobs/job-ends.js'
import { commit } from '../../log/change.js'
import { loadNewestMessageId } from '../../log/log.js'
import type { Realm } from '../../log/realm.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Sql } from '../../sql.js'
import { selectPageIds } from '../narrow/select-page-ids.js'

export interface TopicToDelete {
  channel_id: number
  topic: string
}

/** Messages per transaction (protocol/messages.md 4.6). */
const BATCH = 100

/**
 * Selects the newest messages of the topic up to `up_to`, newest first. It selects only messages that the actor can
 * read.
 */
export const selectNewestMessages = (
  sql: Sql,
  realm: Realm,
  actor: UserRow,
  { channel_id, topic, up_to }: TopicToDelete & { up_to: number },
  limit = BATCH,
): Promise<number[]> => {
  const { state } = realm
  const conditions = topicConditions(channel_id, topic)
  const includesHistory = state.channels.get(channel_id)?.history_public_to_subscribers ?? false
  const query = { sql, state, reader: actor, narrow: { conditions, includesHistory } }
  return selectPageIds(query, { below: up_to + 1, limit })
}

/** Whether no further batch can follow. */
export const isLastBatch = (ids: readonly number[]): boolean => ids.length < BATCH

const findChain = (topic: TopicToDelete): JobChain => ({ kind: 'delete_topic', ...topic })

/** Whether jobs still delete the topic. */
export const isTopicDeletionRunning = (sql: Sql, realm_id: number, topic: TopicToDelete): Promise<boolean> =>
  isRunning(sql, realm_id, findChain(topic))

/** Starts the deletion of the topic, unless one is already running. Throws StaleStateError. */
export const startTopicDeletion = async (
  context: WriteContext,
  actor: UserRow,
  topic: TopicToDelete,
): Promise<void> => {
  const { realm } = context
  if (await isRunning(context.sql, realm.id, findChain(topic))) return
  const up_to = await loadNewestMessageId(context.sql, realm.id)
  const deletion_id = randomUUID()
  const payload = { actor_id: actor.id, ...topic, up_to, deletion_id }
  await commit(context, async (tx) => {
    await storeDeletion(tx, realm.id, context.actor, { deletion_id, ...topic })
    return { entries: [], jobs: [{ kind: 'delete_topic', payload }] }
  })
}

/** How long the jobs of a topic without messages are waited for: they only forget the policies of the topic. */
const EMPTY_WAIT_MS = 1_000

/**
 * Waits for the jobs that delete the topic.
 * @param end the latest time to wait until, on the clock of `performance.now()`
 * @returns whether the deletion is complete (1)
 */
export const waitForTopicDeletion = async (
  sql: Sql,
  realm: Realm,
  actor: UserRow,
  topic: TopicToDelete,
  end: number,
): Promise<boolean> => {
  const isEmpty = async () => {
    const up_to = await loadNewestMessageId(sql, realm.id)
    return (await selectNewestMessages(sql, realm, actor, { ...topic, up_to }, 1)).length === 0
  }
  const latest = (await isEmpty()) ? Math.min(end, performance.now() + EMPTY_WAIT_MS) : end
  await waitForJobs(latest, sql, realm.id, findChain(topic))
  return isEmpty()
}
