/**
 * The write context: the connections with which a change is written, and the state on which it was permitted.
 *
 * 1. The guard is the seq of the realm when the context was opened. A context is opened before the first row that the
 *    permission depends on is read: a guard that is set after an await would also cover rows that were read before it.
 * 2. Only this file sets a guard. These open a context: the call pipeline (once per attempt), withStructureLock (once
 *    the lock is held), changeRealm (once per attempt), the job runner, the schedules, the administration, and the few
 *    functions of the store that write for the system itself (test/structure/write-contexts.test.ts lists them).
 * 3. The guard covers the structure only. Other rows that a change depends on are a precondition: they are read before
 *    the transaction, and the commit reads them once more under the lock of the head.
 */
import type { NewEntry } from '../../domain/log/entry.js'
import type { JobSpec, QueuedJob } from '../jobs/job-table.js'
import type { Sql, Transaction } from '../sql.js'
import type { Bus } from './bus.js'
import type { AnswerKey } from './call-key.js'
import type { EventAck } from './event-ack.js'
import type { Realm } from './realm.js'

/** The parts of a process that its writes use. */
export interface WriteDependencies {
  readonly sql: Sql
  readonly bus: Bus
  /** what every commit does besides its change (store/cell/commit-hooks.ts) */
  readonly commitHooks: readonly CommitHook[]
  /** Hands committed jobs to the workers at once, so that they start before the sweeper finds them. */
  enqueueJobs(jobs: readonly QueuedJob[]): void
}

/**
 * What a feature does in every commit: it looks at the entries of the change, and adds the entries and jobs that follow
 * from them. Runs in the transaction, before the head is taken. May refuse the change, and throw StaleStateError.
 */
export type CommitHook = (tx: Transaction, context: WriteContext, entries: readonly NewEntry[]) => Promise<HookResult>

/** What follows from a change: entries before and after those of the change, and jobs. */
interface HookResult {
  preceding: readonly NewEntry[]
  following: readonly NewEntry[]
  jobs?: readonly JobSpec[]
}

/** Whether rows that were read before the transaction are still the same (3). Runs while the head is locked. */
export type Precondition = (tx: Transaction) => Promise<boolean>

/** The caller on whose behalf a change is written. */
export interface Actor {
  /** null: a caller without an account */
  readonly user_id: number | null
  /** the IP address of the caller, '' if unknown */
  readonly address: string
  /** the method and path of the endpoint */
  readonly action: string
  /** the same for all changes of one call; undefined: the caller makes one change */
  readonly request?: string
  /** the act that the change undoes, and whether nothing is left of it after the change (store/undo/undo-act.ts) */
  readonly undoes?: { readonly act_id: number; readonly isComplete: boolean }
  /** the traceparent of the call; undefined: it is not traced */
  readonly trace?: string | undefined
}

/** The context of one write (see above). */
export class WriteContext {
  readonly dependencies: WriteDependencies
  readonly realm: Realm
  /** undefined: the system writes by itself */
  readonly actor: Actor | undefined
  // Private, so that no object with another guard has this type.
  readonly #guard: number
  readonly #holdsStructureLock: boolean
  /** Shared with the contexts of other authors that were made from this one. */
  readonly #preconditions: Precondition[]
  /** undefined: the client may not repeat the call, or the system writes by itself */
  readonly answerKey: AnswerKey | undefined
  /** undefined: the call acknowledges no event */
  readonly ack: EventAck | undefined

  private constructor(
    dependencies: WriteDependencies,
    realm: Realm,
    guard: number,
    actor: Actor | undefined,
    holdsStructureLock: boolean,
    preconditions: Precondition[] = [],
    answerKey?: AnswerKey,
    ack?: EventAck,
  ) {
    this.dependencies = dependencies
    this.realm = realm
    this.#guard = guard
    this.actor = actor
    this.#holdsStructureLock = holdsStructureLock
    this.#preconditions = preconditions
    this.answerKey = answerKey
    this.ack = ack
  }

  /**
   * Opens a context that is guarded with the state as it is now (1).
   * @param holdsStructureLock the caller runs inside of `realm.withStructureLock`
   */
  static open(dependencies: WriteDependencies, realm: Realm, holdsStructureLock = false): WriteContext {
    return new WriteContext(dependencies, realm, realm.seq, undefined, holdsStructureLock)
  }

  /** Opens a context for entries that depend on no state: their commit never throws StaleStateError. */
  static openUnguarded(dependencies: WriteDependencies, realm: Realm): WriteContext {
    return new WriteContext(dependencies, realm, Number.MAX_SAFE_INTEGER, undefined, false)
  }

  /** The same context, on behalf of a caller: the guard does not change. */
  withActor(actor: Actor | undefined): WriteContext {
    return this.#copy(actor, this.answerKey, this.ack)
  }

  /** The same context for a call that its client may repeat: the next commit stores its answer with the key. */
  withAnswerKey(answerKey: AnswerKey | undefined): WriteContext {
    return this.#copy(this.actor, answerKey, this.ack)
  }

  /** The same context for a call that acknowledges an event: its first commit moves the position (event-ack.ts). */
  withAck(ack: EventAck | undefined): WriteContext {
    return this.#copy(this.actor, this.answerKey, ack)
  }

  /**
   * Runs a change whose answer follows from its result, so that the commit can store the answer with the key of the
   * call. Throws what `run` throws.
   * @param run commits with the context that it gets, and returns the result of the commit
   */
  async answering<R, A extends object>(
    compose: (result: R) => A,
    run: (write: WriteContext) => Promise<R>,
  ): Promise<A> {
    const key = this.answerKey?.key
    const write = key === undefined ? this : this.withAnswerKey({ key, compose: (result) => compose(result as R) })
    return compose(await run(write))
  }

  #copy(actor: Actor | undefined, answerKey: AnswerKey | undefined, ack: EventAck | undefined): WriteContext {
    const { dependencies, realm } = this
    const [guard, isLocked, preconditions] = [this.#guard, this.#holdsStructureLock, this.#preconditions]
    return new WriteContext(dependencies, realm, guard, actor, isLocked, preconditions, answerKey, ack)
  }

  /** A context of the same actor that is guarded with the state as it is now (1). It has no preconditions. */
  reopen(): WriteContext {
    const { dependencies, realm, actor, answerKey, ack } = this
    return new WriteContext(dependencies, realm, realm.seq, actor, this.#holdsStructureLock, [], answerKey, ack)
  }

  /**
   * Runs `work` while this process holds the structure lock of the realm, with a context that was opened after the lock
   * was taken (structure-lock.ts). If this context was opened under the lock, `work` runs at once.
   */
  withStructureLock<T>(work: (locked: WriteContext) => Promise<T>): Promise<T> {
    const runLocked = () => {
      const { dependencies, realm, actor, answerKey, ack } = this
      return work(new WriteContext(dependencies, realm, realm.seq, actor, true, [], answerKey, ack))
    }
    return this.#holdsStructureLock ? runLocked() : this.realm.withStructureLock(runLocked)
  }

  /** seq of the state on which the change is permitted (log.ts, 3) */
  get guard(): number {
    return this.#guard
  }

  /** The commit of a change with this context throws StaleStateError unless the precondition holds (3). */
  addPrecondition(precondition: Precondition): void {
    this.#preconditions.push(precondition)
  }

  get preconditions(): readonly Precondition[] {
    return this.#preconditions
  }

  get sql(): Sql {
    return this.dependencies.sql
  }
}
