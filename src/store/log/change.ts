/**
 * One change of a realm: its rows, its other statements, its entries, its jobs, in one guarded transaction.
 *
 * 1. Whoever writes tells, and whoever tells writes: the rows of a structural change travel in its entries.
 * 2. The order inside the transaction: what `before` does, then the head (which locks the log), then the rows, then
 *    what depends on the position in the log, and the entries. Rows are sent without waiting for the head's answer.
 *    So whatever `before` of one change and the rest of another both write must be locked in the `before` of both.
 * 3. After the commit the entries go to this process's own realm at once, and to the others through the bus.
 */
import type { Entry, NewEntry } from '../../domain/log/entry.js'
import { requireKind } from '../../domain/log/entry-kind.js'
import type { RowChange } from '../../domain/log/row-changes.js'
import { type JobSpec, type QueuedJob, writeJobs } from '../jobs/job-table.js'
import { isConflict, type Sql, type Transaction } from '../sql.js'
import { entriesAfter, type Head, placed, StaleStateError, takeHead, writeEntries } from './log.js'
import type { Realm } from './realm.js'
import { writeRows } from './rows.js'
import type { WriteContext } from './write-context.js'

export interface Change<R = void> {
  entries: readonly NewEntry[]
  /** Entries that say what `before` found; they follow the others. */
  told?(found: R): readonly NewEntry[]
  /** Statements that need the log position or the message counter, run after the head is taken. */
  statements?(tx: Transaction, head: Head): Promise<unknown>[]
  /** Statements that decide something: may throw a catalogue error, which undoes everything. Run first. */
  before?(tx: Transaction): Promise<R>
  jobs?: readonly JobSpec[]
  /** Jobs that follow from what `before` found. */
  jobsFor?(found: R): readonly JobSpec[]
}

/**
 * Runs a change that was permitted on the realm's state at the guard of the context.
 * @returns what `before` returned. Throws StaleStateError when the structure moved since: the handler runs again.
 */
export const commit = async <R = void>(context: WriteContext, change: Change<R>): Promise<R> => {
  const { realm, guard } = context
  const { result, entries, jobs } = await transaction(context.sql, async (tx) => {
    const result = (await change.before?.(tx)) as R
    const asked = [...change.entries, ...(change.told?.(result) ?? [])]
    const made = await withConsequences(tx, context, asked)
    const structural = made.some((entry) => entry.rows !== undefined)
    const rows: readonly RowChange[] = made.flatMap((entry) => entry.rows ?? [])
    const written = writeRows(tx, realm.id, rows)
    const taking = { count: made.length, messages: 0, guard, structural }
    const [head] = await Promise.all([takeHead(tx, realm.id, taking), ...written])
    const entries = placed(await completed(tx, realm, made, head), head.log_seq)
    const [jobs] = await Promise.all([
      writeJobs(tx, realm.id, [...(change.jobs ?? []), ...(change.jobsFor?.(result) ?? [])]),
      ...(change.statements?.(tx, head) ?? []),
      writeEntries(tx, realm.id, entries),
    ])
    return { result, entries, jobs }
  })
  publishCommitted(context, { entries, jobs })
  return result
}

const withConsequences = async (
  tx: Transaction,
  context: WriteContext,
  asked: readonly NewEntry[],
): Promise<readonly NewEntry[]> => {
  let all = asked
  for (const consequence of context.dependencies.consequences) {
    const { preceding, following } = await consequence(tx, context, asked)
    all = [...preceding, ...all, ...following]
  }
  return all
}

/**
 * The entries, with what only their place in the log tells. The head is locked: everything before them is committed,
 * and is read through this very connection, because all others may be waiting for this one.
 */
const completed = async (
  tx: Transaction,
  realm: Realm,
  made: readonly NewEntry[],
  head: Head,
): Promise<readonly NewEntry[]> => {
  if (!made.some((entry) => requireKind(realm.kinds, entry.kind).complete !== undefined)) return made
  const before = head.log_seq - made.length
  if (realm.seq < before) realm.receive(await entriesAfter(tx, realm.id, realm.seq, before - realm.seq))
  return made.map((entry) => {
    const kind = requireKind(realm.kinds, entry.kind)
    return kind.complete === undefined ? entry : { ...entry, data: kind.complete(entry.data, realm.state) }
  })
}

/** What a transaction committed. */
export interface Committed {
  entries: readonly Entry[]
  jobs: readonly QueuedJob[]
}

/** Hands committed jobs to the workers, and committed entries to this process's realm and to the other replicas (3). */
export const publishCommitted = (
  { dependencies, realm }: Pick<WriteContext, 'dependencies' | 'realm'>,
  { entries, jobs }: Committed,
): void => {
  if (jobs.length > 0) dependencies.enqueueJobs(jobs)
  realm.receive(entries)
  dependencies.bus.publish({ realm_id: realm.id, entries })
}

/** A conflict with another writer is the same to the caller as a moved structure: run again. */
export const transaction = async <T>(sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> => {
  try {
    return (await sql.begin(work)) as T
  } catch (error) {
    if (isConflict(error)) throw new StaleStateError()
    throw error
  }
}
