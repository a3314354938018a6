/**
 * Records administrative acts in the audit log.
 *
 * 1. A row is written in the transaction of the change, so no act is without a record, and no record without an act.
 * 2. With it is written from what the act can be undone (domain/audit/reversal.ts).
 * 3. An undo marks the act that it undoes in its own transaction: of two that run at the same time, one fails.
 */
import { randomUUID } from 'node:crypto'
import { type AuditChange, composeAct } from '../../domain/audit/audit.js'
import { type DeletedMessages, limitReversal, type MovedMessages, type Reversal } from '../../domain/audit/reversal.js'
import type { NewEntry } from '../../domain/log/entry.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Actor, CommitHook } from '../log/write-context.js'
import type { Transaction } from '../sql.js'

/**
 * The author of a change that undoes an act.
 * @param isComplete nothing of the act is left after the change: the act is marked as undone
 */
export const toUndoingActor = (actor: Actor | undefined, act_id: number, isComplete: boolean): Actor | undefined => {
  if (actor === undefined) return undefined
  const { user_id, address, action, request, trace } = actor
  return { user_id, address, action, trace, ...(request !== undefined && { request }), undoes: { act_id, isComplete } }
}

/** Records the act of a change that a caller makes. Changes that the system makes have no actor and no record. */
export const recordAuditEvent: CommitHook = async (tx, { realm, actor }, entries) => {
  if (actor !== undefined) await storeAct(tx, realm.id, actor, entries)
  return { preceding: [], following: [] }
}

/** Stores the record of an act, if it is an administrative one. Throws ACT_ALREADY_UNDONE (3). */
export const storeAct = async (
  tx: Transaction,
  realm_id: number,
  actor: Actor,
  entries: readonly NewEntry[],
): Promise<void> => {
  // What an undo gives back to its own author is recorded, too: otherwise it would not be marked.
  const act = composeAct(entries, actor.undoes === undefined ? actor.user_id : null)
  if (act !== undefined) await insertAct(tx, realm_id, actor, act)
}

/** Stores the record of messages that were moved, if a caller moved them. Throws ACT_ALREADY_UNDONE (3). */
export const storeMove = async (
  tx: Transaction,
  realm_id: number,
  actor: Actor | undefined,
  moved: MovedMessages,
): Promise<void> => {
  if (actor === undefined) return
  const { from, to, message_ids } = moved
  const change = { table: 'messages', key: { count: message_ids.length }, before: { ...from }, after: { ...to } }
  await insertAct(tx, realm_id, actor, { changes: [change], reversal: limitReversal({ moved }) })
}

/** Stores the record of deleted messages, or of a topic whose deletion began. Throws ACT_ALREADY_UNDONE (3). */
export const storeDeletion = async (
  tx: Transaction,
  realm_id: number,
  actor: Actor | undefined,
  deleted: DeletedMessages,
): Promise<void> => {
  if (actor === undefined) return
  const { channel_id, topic, message_ids } = deleted
  const key = channel_id === null ? {} : { channel_id, topic }
  const before = message_ids === undefined ? {} : { message_ids }
  const change = { table: 'messages', key, before, after: null }
  await insertAct(tx, realm_id, actor, { changes: [change], reversal: limitReversal({ deleted }) })
}

const insertAct = async (
  tx: Transaction,
  realm_id: number,
  { user_id, address, action, request, undoes }: Actor,
  { changes, reversal }: { changes: readonly AuditChange[]; reversal: Reversal },
): Promise<void> => {
  const [row] = await tx<{ id: number }[]>`
    insert into audit_log (realm_id, user_id, address, action, changes, reversal, request, undoes)
    values (
      ${realm_id}, ${user_id}, ${address}, ${action}, ${tx.json(changes as never)}, ${tx.json(reversal as never)},
      ${request ?? randomUUID()}, ${undoes?.act_id ?? null}
    ) returning id`
  if (row === undefined || undoes?.isComplete !== true) return
  const marked = await tx`
    update audit_log set undone_by = ${row.id}
    where realm_id = ${realm_id} and id = ${undoes.act_id} and undone_by is null`
  if (marked.count === 0) throw errors.actAlreadyUndone()
}
