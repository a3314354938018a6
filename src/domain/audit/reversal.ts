/**
 * What the audit log keeps of an act so that it can be undone, beside the changes that it shows.
 *
 * 1. A reversal is complete: it has every row that the act changed, in the compact form of the log. So ten thousand
 *    removed subscriptions are a few runs of ids.
 * 2. It has no secrets and no texts of messages: an act on a table in which bots keep credentials has none, and
 *    messages are named by their ids.
 * 3. It is bounded (MAX_BYTES). A larger act cannot be undone.
 * 4. An act has one only if each of its changes has an inverse (columns.ts): half of an act is never undone.
 */
import { type CompactRowChange, compactRowChanges } from '../log/compact-row-changes.js'
import type { RowChange } from '../log/row-changes.js'
import { hasInverse, isDerived } from './columns.js'

/** Messages that a request moved. */
export interface MovedMessages {
  from: { channel_id: number; topic: string }
  to: { channel_id: number; topic: string }
  /** ascending */
  message_ids: readonly number[]
}

/** Messages that a request deleted. */
export interface DeletedMessages {
  deletion_id: string
  channel_id: number | null
  topic: string
  /** ascending; undefined: all messages of the topic, which jobs delete */
  message_ids?: readonly number[] | undefined
}

/** What the inverse of an act is composed from. Without any field, the act has no inverse. */
export interface Reversal {
  rows?: readonly CompactRowChange[]
  moved?: MovedMessages
  deleted?: DeletedMessages
}

/** Bytes of a reversal as JSON: a topic of 70,000 messages, or the subscriptions of a large organization. */
const MAX_BYTES = 512 * 1024

/** The reversal of an act that changed these rows. */
export const composeRowReversal = (changes: readonly RowChange[]): Reversal => {
  const rows = changes.filter((change) => !isDerived(change))
  return rows.length > 0 && rows.every(hasInverse) ? limitReversal({ rows: compactRowChanges(rows) }) : {}
}

/** The reversal, or none if it is too large (3). */
export const limitReversal = (reversal: Reversal): Reversal =>
  Buffer.byteLength(JSON.stringify(reversal)) > MAX_BYTES ? {} : reversal

/** Whether something can be composed from it. */
export const hasReversal = (reversal: Reversal): boolean => Object.keys(reversal).length > 0
