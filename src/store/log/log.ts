/**
 * The log of a realm: what happened, in the order it was committed.
 *
 * 1. `seq` has no gaps and follows commit order: a transaction locks the head until its commit.
 * 2. A change and its entries are one transaction: neither is ever visible without the other.
 * 3. A write is guarded: it locks the head only if the realm's structure has not changed since the state on which it
 *    was permitted (`state_seq <= guard`). Otherwise `StaleStateError` is thrown and the whole handler runs again.
 * 4. A structural change (one with rows) sets `state_seq` to its own seq.
 */

import { type CompactRowChange, compactRowChanges, expandRowChanges } from '../../domain/log/compact-row-changes.js'
import type { Audience, Entry, NewEntry } from '../../domain/log/entry.js'
import type { RowChange } from '../../domain/log/row-changes.js'
import type { Db, Sql, Transaction } from '../sql.js'

/**
 * Thrown when the realm's structure changed after the permission was checked. The caller catches up and runs the
 * handler again.
 */
export class StaleStateError extends Error {
  constructor() {
    super('the structure of the realm changed during a write')
  }
}

/** The counters of a realm in its head row. */
export interface Head {
  log_seq: number
  last_message_id: number
}

/**
 * Assigns the next `count` seqs of the log, and locks the head. The lock is held until the transaction ends.
 * @returns the head with the new counters. Throws StaleStateError (3).
 */
export const lockHead = async (
  tx: Transaction,
  realm_id: number,
  taking: { count: number; messages: number; guard: number; structural: boolean },
): Promise<Head> => {
  const [head] = await tx<Head[]>`
    update log_heads set
      log_seq = log_seq + ${taking.count},
      last_message_id = last_message_id + ${taking.messages},
      state_seq = case when ${taking.structural} then log_seq + ${taking.count} else state_seq end
    where realm_id = ${realm_id} and state_seq <= ${taking.guard}
    returning log_seq, last_message_id`
  if (head === undefined) throw new StaleStateError()
  return head
}

/**
 * Locks the head until the transaction ends, without a change. What is read after this stays as it is until the commit.
 */
export const lockHeadRow = (tx: Transaction, realm_id: number): Promise<unknown> =>
  tx`select from log_heads where realm_id = ${realm_id} for update`

/** The id of the newest message of the realm; 0: there is none. */
export const loadNewestMessageId = async (db: Db, realm_id: number): Promise<number> => {
  const [head] = await db<{ last_message_id: number }[]>`
    select last_message_id from log_heads where realm_id = ${realm_id}`
  return head?.last_message_id ?? 0
}

/**
 * Writes entries whose seqs `lockHead` assigned in the same transaction.
 * They are stored as text: jsonb would reorder keys, and an entry read back must project to the same bytes.
 */
export const writeEntries = (tx: Transaction, realm_id: number, entries: readonly Entry[]): Promise<unknown> => {
  const rows = entries.map((entry) => ({
    ...entry,
    realm_id,
    rows: entry.rows === undefined ? null : compactRowChanges(entry.rows),
  }))
  return tx`
    insert into log (realm_id, seq, kind, audience, data, rows)
    select realm_id, seq, kind, audience, data, rows
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as r (realm_id int, seq bigint, kind text, audience json, data json, rows json)`
}

/** Sets the seq of each entry; the last one gets `log_seq`. */
export const placeEntries = (entries: readonly NewEntry[], log_seq: number): Entry[] =>
  entries.map((entry, i) => ({ ...entry, seq: log_seq - entries.length + 1 + i }))

interface LogRow {
  seq: number
  kind: string
  audience: Audience
  data: Record<string, unknown>
  rows: CompactRowChange[] | null
  message_id: number | null
}

/** The send combiner stores a message's id beside its data, because the id is known only inside the statement. */
const toEntry = ({ seq, kind, audience, data, rows, message_id }: LogRow): Entry => ({
  seq,
  kind,
  audience,
  data: message_id === null ? data : { id: message_id, ...data },
  ...(rows === null ? {} : { rows: expandRowChanges(rows) }),
})

/** Entries after `seq`, oldest first, at most `limit`. */
export const loadEntriesAfter = async (db: Db, realm_id: number, seq: number, limit: number): Promise<Entry[]> => {
  const rows = await db<LogRow[]>`
    select seq, kind, audience, data, rows, message_id
    from log where realm_id = ${realm_id} and seq > ${seq}
    order by seq limit ${limit}`
  return rows.map(toEntry)
}

/**
 * Loads the structural changes with a seq in (after, upTo], newest first. The caller undoes them. Index:
 * log_structural.
 */
export const loadStructuralChanges = async (
  db: Db,
  realm_id: number,
  after: number,
  upTo: number,
): Promise<{ seq: number; rows: readonly RowChange[] }[]> => {
  const found = await db<{ seq: number; rows: CompactRowChange[] }[]>`
    select seq, rows from log
    where realm_id = ${realm_id} and seq > ${after} and seq <= ${upTo} and rows is not null
    order by seq desc`
  return found.map(({ seq, rows }) => ({ seq, rows: expandRowChanges(rows) }))
}

/** The heads of these realms' logs. */
export const loadHeads = async (sql: Sql, realm_ids: readonly number[]): Promise<Map<number, number>> => {
  const rows = await sql<{ realm_id: number; log_seq: number }[]>`
    select realm_id, log_seq from log_heads where realm_id = any(${realm_ids as number[]})`
  return new Map(rows.map((row) => [row.realm_id, row.log_seq]))
}

/** Deletes a batch of entries older than the retention. @returns the number of deleted entries */
export const trimLog = async (sql: Sql, days: number, batch = 20_000): Promise<number> => {
  const deleted = await sql`
    delete from log where (realm_id, seq) in (
      select realm_id, seq from log where at < now() - make_interval(days => ${days}) limit ${batch}
    )`
  return deleted.count
}
