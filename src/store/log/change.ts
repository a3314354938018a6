/**
 * Commits a change of a realm: its statements, rows, entries and jobs, in one guarded transaction.
 *
 * 1. Every change of a realm has entries, and every entry belongs to a change: the rows of a structural change are
 *    part of its entries.
 * 2. Inside the transaction the order is: the position that it moves (event-ack.ts); the statements of the change
 *    function; the preconditions; the head, whose row lock serializes all commits of the realm; the rows;
 *    `underHeadLock`, the jobs and the entries; the messages. The rows are sent without waiting
 *    for the answer of the head. So two changes that write the same row, one of them before its head and one after it,
 *    must both lock that row before the head: otherwise each waits for a lock that the other holds.
 * 3. After the commit the entries are applied to this process's own realm at once, and published to the other replicas.
 */
import type { Entry, NewEntry } from '../../domain/log/entry.js'
import { type FirstMessages, requireKind } from '../../domain/log/entry-kind.js'
import type { RowChange } from '../../domain/log/row-changes.js'
import { runSteps, type Step } from '../../domain/log/steps.js'
import { type JobSpec, type QueuedJob, writeJobs } from '../jobs/job-table.js'
import { isConflict, type Sql, type Transaction } from '../sql.js'
import type { EntryTraces } from '../tracing.js'
import { insertAnswer } from './call-key.js'
import { storeAck } from './event-ack.js'
import {
  type Head,
  loadEntriesAfter,
  lockHead,
  lockHeadRow,
  placeEntries,
  StaleStateError,
  writeEntries,
} from './log.js'
import type { Realm } from './realm.js'
import { runChange } from './realm-slots.js'
import { writeRows } from './row-tables.js'
import type { WriteContext } from './write-context.js'

/** The result of the statements of a change. */
export interface Outcome {
  entries: readonly NewEntry[]
  jobs?: readonly JobSpec[]
  /** Sends the statements that need the head: its log position, its message counter, or its lock (2). */
  underHeadLock?(head: Head): Promise<unknown>[]
  /**
   * Stores messages in the same transaction; their entries follow those of the change. The statements are sent with
   * those after the head, so they wait for no answer.
   */
  messages?(tx: Transaction): Promise<Committed>
  /** the channels of these messages, in their order, if each is the first of its channel: the entries name them */
  begins?: readonly number[]
}

/**
 * A change: runs its statements in the transaction, and returns what follows from them. Runs before the head is taken
 * (2). May throw a catalogue error, which rolls everything back.
 */
export type Change = (tx: Transaction) => Promise<Outcome>

/** A change whose commit resolves with a result. */
export type ChangeWithResult<R> = (tx: Transaction) => Promise<Outcome & { result: R }>

// biome-ignore lint/suspicious/noConfusingVoidType: the commit of a change without a result is a Promise<void>
type ResultOf<O extends Outcome> = O extends { result: infer R } ? R : void

/** A change that has entries and jobs, and no statements of its own. */
export const entriesChange =
  (entries: readonly NewEntry[], jobs: readonly JobSpec[] = []): Change =>
  async () => ({ entries, jobs })

/** A change with another result. */
export const mapResult =
  <A, B>(change: ChangeWithResult<A>, map: (result: A) => B): ChangeWithResult<B> =>
  async (tx) => {
    const outcome = await change(tx)
    return { ...outcome, result: map(outcome.result) }
  }

/** Combines several changes into one. They run in the order given, and their entries have the same order in the log. */
export const combineChanges =
  (changes: readonly Change[]): Change =>
  async (tx) => {
    const outcomes: Outcome[] = []
    for (const change of changes) outcomes.push(await change(tx))
    return {
      entries: outcomes.flatMap(({ entries }) => entries),
      jobs: outcomes.flatMap(({ jobs }) => jobs ?? []),
      underHeadLock: (head) => outcomes.flatMap((outcome) => outcome.underHeadLock?.(head) ?? []),
      begins: outcomes.flatMap(({ begins }) => begins ?? []),
      messages: async (sent) => {
        const stored = await Promise.all(outcomes.map((outcome) => outcome.messages?.(sent) ?? nothing))
        return { entries: stored.flatMap(({ entries }) => entries), jobs: stored.flatMap(({ jobs }) => jobs) }
      },
    }
  }

/** Commits a change that has entries and jobs, and no statements of its own. Throws StaleStateError. */
export const commitEntries = (
  context: WriteContext,
  entries: readonly NewEntry[],
  jobs: readonly JobSpec[] = [],
): Promise<void> => commit(context, entriesChange(entries, jobs))

/** Commits the entries of these steps; nothing when they have none. Throws what they throw, and StaleStateError. */
export const commitSteps = async (context: WriteContext, steps: readonly Step[]): Promise<void> => {
  const { entries } = runSteps(context.realm.state, steps)
  if (entries.length > 0) await commitEntries(context, entries)
}

/**
 * Commits a change that was permitted on the realm's state at the guard. The guard is that of the context.
 * @returns the result of the change. Throws StaleStateError when the structure changed after the guard:
 * the handler runs again; RepeatedCallError when the call of the context was committed before (call-key.ts); and
 * EVENT_ALREADY_ACKED when the event that it acknowledges was (event-ack.ts).
 */
export const commit = async <O extends Outcome>(
  context: WriteContext,
  change: (tx: Transaction) => Promise<O>,
): Promise<ResultOf<O>> => {
  const { realm, guard, answerKey, ack } = context
  const { outcome, answer, entries, jobs } = await runTransaction(context, async (tx) => {
    if (ack?.isSettled === false) await storeAck(tx, realm.id, ack)
    const outcome = await change(tx)
    const { entries: all, jobs: following } = await runCommitHooks(tx, context, outcome.entries)
    await checkPreconditions(tx, context)
    const structural = all.some((entry) => entry.rows !== undefined)
    const rows: readonly RowChange[] = all.flatMap((entry) => entry.rows ?? [])
    const written = writeRows(tx, realm.id, rows)
    const request = { count: all.length, messages: 0, guard, structural }
    const [head] = await Promise.all([lockHead(tx, realm.id, request), ...written])
    const begun = new Map((outcome.begins ?? []).map((id, i) => [id, head.last_message_id + 1 + i]))
    const entries = placeEntries(await completeEntries(tx, realm, all, head, begun), head.log_seq)
    const answer = answerKey && JSON.stringify(answerKey.compose((outcome as { result?: unknown }).result))
    const storing = answer && answerKey && insertAnswer(tx, realm, answerKey.key, answer)
    const [jobs, , messages] = await Promise.all([
      writeJobs(tx, realm.id, [...(outcome.jobs ?? []), ...following]),
      Promise.all([...(outcome.underHeadLock?.(head) ?? []), writeEntries(tx, realm.id, entries)]),
      outcome.messages?.(tx) ?? nothing,
      storing,
    ])
    return { outcome, answer, entries: [...entries, ...messages.entries], jobs: [...jobs, ...messages.jobs] }
  })
  if (ack !== undefined) ack.isSettled = true
  if (answerKey !== undefined) {
    answerKey.key.commits += 1
    answerKey.key.stored = answer
  }
  publishCommitted(context, { entries, jobs })
  return (outcome as { result?: unknown }).result as ResultOf<O>
}

const nothing: Committed = { entries: [], jobs: [] }

const runCommitHooks = async (
  tx: Transaction,
  context: WriteContext,
  entries: readonly NewEntry[],
): Promise<{ entries: readonly NewEntry[]; jobs: readonly JobSpec[] }> => {
  let all = entries
  const allJobs: JobSpec[] = []
  for (const hook of context.dependencies.commitHooks) {
    const { preceding, following, jobs = [] } = await hook(tx, context, entries)
    all = [...preceding, ...all, ...following]
    allJobs.push(...jobs)
  }
  return { entries: all, jobs: allJobs }
}

/** Throws StaleStateError unless all preconditions hold. No other commit can change their rows after this. */
const checkPreconditions = async (tx: Transaction, { realm, preconditions }: WriteContext): Promise<void> => {
  if (preconditions.length === 0) return
  await lockHeadRow(tx, realm.id)
  for (const precondition of preconditions) if (!(await precondition(tx))) throw new StaleStateError()
}

/**
 * Adds to entries what only their position in the log tells. The head is locked, so everything
 * before them is committed. It is read over the connection of the transaction, because all other
 * connections may be waiting for this head.
 */
const completeEntries = async (
  tx: Transaction,
  realm: Realm,
  entries: readonly NewEntry[],
  head: Head,
  begun: FirstMessages,
): Promise<readonly NewEntry[]> => {
  if (!entries.some((entry) => requireKind(realm.kinds, entry.kind).complete !== undefined)) return entries
  const before = head.log_seq - entries.length
  if (realm.seq < before) realm.receive(await loadEntriesAfter(tx, realm.id, realm.seq, before - realm.seq))
  return entries.map((entry) => {
    const kind = requireKind(realm.kinds, entry.kind)
    return kind.complete === undefined ? entry : { ...entry, data: kind.complete(entry.data, realm.state, begun) }
  })
}

/** The entries and jobs that a transaction committed. */
export interface Committed {
  entries: readonly Entry[]
  jobs: readonly QueuedJob[]
  /** the entries that are traced */
  traces?: EntryTraces | undefined
}

/**
 * Hands committed jobs to the workers, and publishes committed entries (3). The entries go to this process's realm and
 * to the other replicas.
 */
export const publishCommitted = (
  { dependencies, realm }: Pick<WriteContext, 'dependencies' | 'realm'>,
  { entries, jobs, traces }: Committed,
): void => {
  if (jobs.length > 0) dependencies.enqueueJobs(jobs)
  if (traces !== undefined) realm.expectTraced(traces)
  realm.receive(entries)
  dependencies.bus.publish({ realm_id: realm.id, entries, traces })
}

/** Runs a transaction that takes the head of a realm. Throws StaleStateError and OverloadError. */
export const runTransaction = <T>(
  { realm, sql }: Pick<WriteContext, 'realm' | 'sql'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => runChange(realm, () => transaction(sql, work))

/** Runs a transaction. Throws StaleStateError also for a conflict with another transaction: the handler runs again. */
export const transaction = async <T>(sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> => {
  try {
    return (await sql.begin(work)) as T
  } catch (error) {
    if (isConflict(error)) throw new StaleStateError()
    throw error
  }
}
