/**
 * Marking as read what somebody has not read in a channel, or in a topic of it: after a long time away too much for one
 * transaction. The request marks the first batch, and leaves the rest to a chain of jobs, each of which leaves the next
 * in its own transaction. It is done when there is no such job any more.
 *
 * 1. The oldest come first: so the reader's pointer moves, and few rows are written (read-pointers.ts).
 * 2. What is sent after the request began stays unread.
 */

import type { UserRow } from '../../../domain/log/rows.js'
import { type Condition, inPlace } from '../../../domain/messages/narrow/narrow.js'
import type { JobPayloads, JobSpec } from '../../jobs/job-table.js'
import { type Change, combineChanges, commit, entriesChange } from '../../log/change.js'
import { newestMessage } from '../../log/log.js'
import type { Realm } from '../../log/realm.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Sql } from '../../sql.js'
import { selectPageIds } from '../narrow/select-page-ids.js'
import { prepareFlagChange } from './change-flags.js'

/** What is marked: a channel, or one topic of it. */
export interface MarkTarget {
  channel_id: number
  /** null: all of them */
  topic: string | null
}

/** Messages per transaction (messages.md 5.2). */
const BATCH = 2_000

const markRead = { op: 'add', flag: 'read' } as const

/** Marks the oldest of them, and leaves a job for the rest, if there is any. Throws StaleStateError. */
export const startMarkingAsRead = async (context: WriteContext, reader: UserRow, place: MarkTarget): Promise<void> => {
  const { realm } = context
  const up_to = await newestMessage(context.sql, realm.id)
  const marked = { user_id: reader.id, ...place, from: 0, up_to }
  const change = await markNextBatch(context.sql, realm, reader, marked)
  if (change !== undefined) await commit(context, change)
}

/** The change that marks the next batch and leaves a job for the rest; undefined: all is read. */
export const markNextBatch = async (
  sql: Sql,
  realm: Realm,
  reader: UserRow,
  marked: JobPayloads['mark_read'],
): Promise<Change | undefined> => {
  const { channel_id, topic, from, up_to } = marked
  const conditions: Condition[] = [...inPlace(channel_id, topic), { test: 'unread', negated: false }]
  const query = { sql, state: realm.state, reader, narrow: { conditions, includesHistory: false } }
  const found = await selectPageIds(query, { from, limit: BATCH })
  const ids = found.filter((id) => id <= up_to)
  const last = ids.at(-1)
  if (last === undefined) return undefined
  const rest: JobSpec[] = ids.length < BATCH ? [] : [{ kind: 'mark_read', payload: { ...marked, from: last + 1 } }]
  return combineChanges([prepareFlagChange(realm, reader, ids, markRead), entriesChange([], rest)])
}
