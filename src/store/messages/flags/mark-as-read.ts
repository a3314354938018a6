/**
 * Marks a channel or a topic as read. After a long absence this is too much for one transaction: the request marks the
 * first batch, and a chain of jobs marks the rest; each job enqueues the next one in its own transaction.
 * The marking is complete when no such job is left.
 *
 * 1. The oldest messages are marked first: so the pointer moves, and few rows are written (read-pointers.ts).
 * 2. Messages that are sent after the request began stay unread.
 */

import type { UserRow } from '../../../domain/log/rows.js'
import { type Condition, topicConditions } from '../../../domain/messages/narrow/narrow.js'
import { waitForJobs } from '../../jobs/job-ends.js'
import type { JobPayloads, JobSpec } from '../../jobs/job-table.js'
import { type Change, combineChanges, commit, entriesChange } from '../../log/change.js'
import { loadNewestMessageId } from '../../log/log.js'
import type { Realm } from '../../log/realm.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Sql } from '../../sql.js'
import type { ReadContext } from '../narrow/conditions.js'
import { selectPageIds } from '../narrow/select-page-ids.js'
import { changeFlags, prepareFlagChange } from './change-flags.js'

/** What is marked: a channel, or one topic of it. */
export interface MarkTarget {
  channel_id: number
  /** null: all of them */
  topic: string | null
}

/** Messages per transaction (protocol/messages.md 5.2). */
const BATCH = 2_000

const markRead = { op: 'add', flag: 'read' } as const

/** Marks all messages of a sender as read. Throws StaleStateError. */
export const markSenderAsRead = async (context: WriteContext, reader: UserRow, sender_id: number): Promise<void> => {
  const { sql, realm } = context
  const conditions: Condition[] = [
    { test: 'sender', user_id: sender_id, negated: false },
    { test: 'unread', negated: false },
  ]
  const query = { sql, state: realm.state, reader, narrow: { conditions, includesHistory: false } }
  const unread = await selectPageIds(query, { from: 0, limit: 1_000_000 })
  await changeFlags(context, reader, unread, markRead)
}

/** Whether the reader can read a message of the channel, or of the topic. */
export const hasReadableMessage = async (context: ReadContext, { channel_id, topic }: MarkTarget): Promise<boolean> => {
  const narrow = { conditions: topicConditions(channel_id, topic), includesHistory: false }
  const [newest] = await selectPageIds({ ...context, narrow }, { below: Number.MAX_SAFE_INTEGER, limit: 1 })
  return newest !== undefined
}

/**
 * Marks a channel or a topic as read, and waits until it is complete. Throws StaleStateError.
 * @param end the latest time to wait until, on the clock of `performance.now()`
 * @returns whether it is complete
 */
export const markAsRead = async (
  context: WriteContext,
  reader: UserRow,
  target: MarkTarget,
  end: number,
): Promise<boolean> => {
  const { sql, realm } = context
  const work = { kind: 'mark_read', user_id: reader.id, ...target } as const
  // The jobs of an earlier request do not mark messages that were sent after it.
  if (!(await waitForJobs(end, sql, realm.id, work))) return false
  await startMarkingAsRead(context, reader, target)
  return waitForJobs(end, sql, realm.id, work)
}

/** Marks the oldest batch, and enqueues a job for the rest, if there is any. Throws StaleStateError. */
const startMarkingAsRead = async (context: WriteContext, reader: UserRow, target: MarkTarget): Promise<void> => {
  const { realm } = context
  const up_to = await loadNewestMessageId(context.sql, realm.id)
  const marked = { user_id: reader.id, ...target, from: 0, up_to }
  const change = await markNextBatch(context.sql, realm, reader, marked)
  if (change !== undefined) await commit(context, change)
}

/**
 * Composes the change that marks the next batch. It also enqueues a job for the rest. Returns undefined if all messages
 * are read.
 */
export const markNextBatch = async (
  sql: Sql,
  realm: Realm,
  reader: UserRow,
  marked: JobPayloads['mark_read'],
): Promise<Change | undefined> => {
  const { channel_id, topic, from, up_to } = marked
  const conditions: Condition[] = [...topicConditions(channel_id, topic), { test: 'unread', negated: false }]
  const query = { sql, state: realm.state, reader, narrow: { conditions, includesHistory: false } }
  const found = await selectPageIds(query, { from, limit: BATCH })
  const ids = found.filter((id) => id <= up_to)
  const last = ids.at(-1)
  if (last === undefined) return undefined
  const rest: JobSpec[] = ids.length < BATCH ? [] : [{ kind: 'mark_read', payload: { ...marked, from: last + 1 } }]
  return combineChanges([prepareFlagChange(realm, reader, ids, markRead), entriesChange([], rest)])
}
